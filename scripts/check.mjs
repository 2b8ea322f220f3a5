// `npm run check`: everything that must hold beside the tests. Each check has been seen to fail.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled, root, run, tool } from './bootstrap.mjs';

ensureInstalled();

const machines = readdirSync(path.join(root, 'statemachines'))
  .filter((file) => file.endsWith('.asl.yml'))
  .map((file) => path.join('statemachines', file));

const checks = [
  ['format', [tool('prettier'), '--check', '--log-level=warn', '.']],
  ['types', [tool('typescript', 'tsc'), '-p', '.']],
  ['lint', [tool('eslint'), '.']],
  ['dead code', [tool('knip')]],
  ['state machines', ['scripts/lint-asl.ts', ...machines]],
  ['packaging', ['scripts/check-package.ts']],
  ['arrows', ['scripts/check-arrows.mjs']],
  ['lockfile', ['scripts/check-lockfile.mjs']],
  ['lockfile of test/mutants', ['scripts/check-lockfile.mjs', 'test/mutants']],
  ['expressions', ['scripts/check-expressions.ts']],
];

for (const [name, args] of checks) {
  const began = performance.now();
  const code = await run(args);
  const took = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${took} s)\n`);
  if (code !== 0) process.exit(1);
}
