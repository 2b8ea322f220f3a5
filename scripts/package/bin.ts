/** The command `inferdrop` of the installed package: on the Node that runs it, or on the one of the parts. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { partNode } from '../parts.mjs';
import { asksForText, printText } from '../static-help.mjs';

const ROOT = path.resolve(fileURLToPath(new URL('..', import.meta.url)));
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** `module.registerHooks`, `--permission`, zstd. */
const isEnough = major > 22 || (major === 22 && minor >= 15);

function fail(message: string): never {
  process.stderr.write(`inferdrop: ${message}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  if (major < 20) fail(`needs Node 20 or newer; this is Node ${process.versions.node}`);
  // Loaded only now: an older Node does not know all that it imports.
  if (isEnough) {
    await import(new URL('../dist/main.js', import.meta.url).href);
    return;
  }
  const args = process.argv.slice(2);
  if (asksForText(args)) return process.exit(printText(ROOT, args));
  await import(new URL('../dist/old-node.js', import.meta.url).href);
  const node = partNode(ROOT);
  if (node === undefined)
    return fail(
      `needs Node 22.15 or newer; this is Node ${process.versions.node}, and no npm package carries Node 24 for ` +
        `${process.platform}-${process.arch}`,
    );
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  child.once('error', (error) => fail(error.message));
  child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}

main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
