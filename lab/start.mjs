// `npm run lab [-- NAME [ARGS]]`: starts a laboratory; without a name, lists them.
import { ensureInstalled, run } from '../scripts/bootstrap.mjs';
import { runVitest } from '../scripts/run-vitest.mjs';
import { LABORATORIES } from './laboratories.mjs';

const [name, ...args] = process.argv.slice(2);
if (name === undefined) process.stdout.write(list());
else if (Object.hasOwn(LABORATORIES, name)) {
  ensureInstalled();
  process.exitCode = await start(LABORATORIES[name]);
} else {
  process.stderr.write(`There is no laboratory ${name}. There are:\n${list()}`);
  process.exitCode = 1;
}

/** @returns the exit code */
async function start({ programs, files = [], options = [], env = {} }) {
  Object.assign(process.env, env);
  if (programs === undefined)
    return runVitest(`lab-${name}-results.json`, [...options, ...(args.length > 0 ? args : files)]);
  for (const program of programs) {
    const code = await run([...program, ...args]);
    if (code !== 0) return code;
  }
  return 0;
}

function list() {
  return Object.entries(LABORATORIES)
    .map(([each, { needs = '', does }]) => `${each.padEnd(10)} ${needs.padEnd(9)} ${does}\n`)
    .join('');
}
