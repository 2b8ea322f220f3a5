import { execFileSync } from 'node:child_process';

const PROGRAM =
  'const t = performance.now(); await import(process.argv[1]); console.log(performance.now() - t); process.exit()';

/** Duration in milliseconds of importing a module in a new process without a compile cache, as in a cold start. */
export function importMs(url: string): number {
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM, url], {
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: undefined },
  });
  return Number(printed);
}
