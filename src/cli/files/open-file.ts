import { spawn } from 'node:child_process';

/**
 * Programs that open a file as a double click would, by platform; `start` of Windows is a word of its shell, so its own
 * program is called.
 */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** The program and the arguments that open a file in the browser of a platform; no shell reads them. */
export function openerOf(platform: NodeJS.Platform, file: string): readonly [string, ...string[]] {
  const [program, ...args] = OPENERS[platform] ?? ['xdg-open'];
  return [program, ...args, file];
}

/** Starts a program that runs on without this one. */
export function startDetached([program, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore', shell: false });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
