// `npm run check`: everything that must hold beside the tests. Each check has been seen to fail.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled, root, run } from './bootstrap.mjs';

ensureInstalled();

/** The program `bin` of a package, where the package itself says it lies. */
function tool(name, bin = name) {
  const folder = path.join(root, 'node_modules', name);
  const { bin: bins } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return path.join(folder, typeof bins === 'string' ? bins : bins[bin]);
}

const machines = readdirSync(path.join(root, 'statemachines'))
  .filter((file) => file.endsWith('.asl.json'))
  .map((file) => path.join('statemachines', file));

const checks = [
  ['format', [tool('prettier'), '--check', '--log-level=warn', '.']],
  ['types', [tool('typescript', 'tsc'), '-p', '.']],
  ['lint', [tool('eslint'), '.']],
  ['dead code', [tool('knip')]],
  ['state machines', ['scripts/lint-asl.ts', ...machines]],
  ['packaging', ['scripts/check-package.ts']],
];

for (const [name, args] of checks) await step(name, () => run(args));
await step('arrows', arrows);

async function step(name, act) {
  const began = performance.now();
  const code = await act();
  const took = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${took} s)\n`);
  if (code !== 0) process.exit(1);
}

/** A cruiser that understands nothing exits 0 as well, so the number of modules is checked too. */
async function arrows() {
  const cruiser = tool('dependency-cruiser', 'depcruise');
  const folders = ['functions', 'src', 'local', 'test', 'bench'];
  const code = await run([
    cruiser,
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err',
    ...folders,
  ]);
  if (code !== 0) return code;
  const json = execFileSync(
    process.execPath,
    [cruiser, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'],
    { cwd: root, maxBuffer: 1 << 28, encoding: 'utf8' },
  );
  const { totalCruised } = JSON.parse(json).summary;
  if (totalCruised > 100) return 0;
  process.stderr.write(
    `dependency-cruiser read only ${totalCruised} modules of src: it did not understand TypeScript\n`,
  );
  return 1;
}
