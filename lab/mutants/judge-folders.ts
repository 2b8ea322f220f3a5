// `npm run lab -- mutants [src/drop src/app/endpoint …]`: StrykerJS makes small changes to a folder, one after another, and lists
// those that the tests do not notice. A folder's own tests (test/unit/<noun>, test/app/<area>) judge first, then the tests of the
// code that uses it judge the survivors; with `--unit`, only the folder's own. Earlier results are kept in build/mutants;
// lab/mutants/judged-survivors.md lists the accepted ones.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

const FOLDERS = [
  ...['drop', 'run', 'plan', 'transform', 'metric', 'label', 'gate', 'endpoint', 'price', 'prediction'],
  ...['pipeline', 'notice', 'report', 'api', 'training', 'model', 'problem', 'text', 'concurrency'],
  ...['drop', 'run', 'transform', 'plan', 'endpoint', 'report', 'records', 'api', 'training', 'removal'].map(
    (area) => `app/${area}`,
  ),
].map((name) => `src/${name}`);

const tools = import.meta.dirname;
const { status: installed } = spawnSync('npm', ['ci'], {
  cwd: tools,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (installed !== 0) process.exit(1);

const { values, positionals: asked } = parseArgs({
  options: { unit: { type: 'boolean', default: false } },
  allowPositionals: true,
});
for (const folder of asked.length > 0 ? asked : FOLDERS)
  for (const byUnit of values.unit ? ['1'] : ['1', '0']) {
    const results = path.join('build', 'mutants', `${folder.replaceAll('/', '-')}.json`);
    const { status } = spawnSync(
      process.execPath,
      [
        path.join(tools, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js'),
        'run',
        path.join(tools, 'stryker.config.json'),
        ...['--mutate', `${folder}/**/*.ts`, '--incrementalFile', results],
      ],
      { stdio: 'inherit', env: { ...process.env, MUTATED_FOLDERS: folder, MUTANTS_BY_UNIT: byUnit } },
    );
    if (status !== 0) process.exitCode = 1;
  }
