/**
 * `npm run test:oracle`: tables against Python's csv; label files as people write them against their authors' classes;
 * every metric against scikit-learn, SciPy and statsmodels, on hundreds of random problems; label errors against
 * cleanlab; early verdicts against complete runs; ways of
 * preparing images against those that networks were trained with; Parquet rows against common readers; every converted operation and
 * chains of them against TensorFlow, on random cases; images against its decoders; a zoo of models. Prints the seconds
 * of each. `CASES=600` draws as many cases as a release has, and images in proportion; `CHAINS=10000` as many chains;
 * `ZOO=networks` runs all networks (each seed draws one), services and decisions as people write them, and
 * networks at full size; `ZOO=all` also the largest, which take gigabytes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { pythonEnvironment } from '../python-environment.ts';

const HERE = import.meta.dirname;
/** Laboratory of the converter. */
const CONVERTER = '../../packages/savedmodel/lab';
const ROOT = path.resolve(HERE, '..', '..');
/** Has the environments of Python, and large files of cases. */
const KEPT = path.join(ROOT, '.venv');
/** Random cases of each comparison, in proportion. */
const CASES = Number(process.env['CASES'] ?? 60);
/**
 * Random cases for each family of operations, at least two of each operation, in addition to the ones `npm test` judges. They take
 * half of the oracle's time, so the default is lower than the weekly `CASES`.
 */
const OPERATION_CASES = Number(process.env['CASES'] ?? 24);
/** Chains of operations, which TensorFlow's optimizer rewrites. */
const CHAINS = process.env['CHAINS'] ?? String(OPERATION_CASES * 30);
/**
 * Follows from the sources that are compared: each change of them draws other cases, and without one the gate judges as it did
 * before. `SEED=N` sets another.
 */
const SEED = process.env['SEED'] ?? seedOf('packages/savedmodel', 'packages/image');

const bin = pythonEnvironment('oracle');
const node = process.execPath;
/** Comparisons by name, in their order; the first that finds a difference is the last. */
const PARTS: Readonly<Record<string, () => Promise<boolean>>> = {
  tables: () =>
    succeeds(node, [
      '../../packages/table/lab/judge-tables.ts',
      seedOf('packages/table'),
      String(CASES * 10),
    ]),
  parquet: () => succeeds(node, ['tables/judge-parquet.ts', seedOf('src/table'), String(CASES)]),
  labels: () => succeeds(node, ['labels/judge-labels.ts', seedOf('src/label'), String(CASES * 40)]),
  layouts: () => succeeds(node, ['labels/judge-layouts.ts', seedOf('src/label'), String(CASES * 60)]),
  metrics: () => agrees('problems.ts', 'compare.py'),
  judging: () => agrees('judging.ts', 'compare_judging.py'),
  verdicts: () => succeeds(node, ['early-verdicts.ts', '8']),
  preprocessings: () => succeeds(node, ['preprocessings.ts', '20']),
  rows: () => agrees('rows.ts', 'compare_rows.py'),
  operations: () => operationsAgree(SEED),
  images: imagesAgree,
  zoo: zooAgrees,
};
process.exitCode = (await allAgree()) ? 0 : 1;

async function allAgree(): Promise<boolean> {
  const seconds: string[] = [];
  let agree = true;
  for (const [name, part] of Object.entries(PARTS)) {
    const began = performance.now();
    agree = await part();
    seconds.push(`${name} ${Math.round((performance.now() - began) / 1000)}`);
    if (!agree) break;
  }
  process.stdout.write(`oracle, seconds: ${seconds.join(', ')}\n`);
  return agree;
}

/** Compares random cases of a seed with TensorFlow's answers. */
async function operationsAgree(seed: string): Promise<boolean> {
  process.stdout.write(`operations: seed ${seed}, SEED=N draws others\n`);
  const folder = path.join(KEPT, 'operation-cases');
  rmSync(folder, { recursive: true, force: true });
  const make = [`${CONVERTER}/operations/make_cases.py`, folder, '--seed', seed];
  const [each, placed] = [Math.max(2, Math.ceil(OPERATION_CASES / 30)), Math.ceil(OPERATION_CASES / 4)];
  const judge = () => succeeds(node, [`${CONVERTER}/operations.ts`, folder]);
  const alone = [...make, '--count', String(OPERATION_CASES), '--each', String(each), '--chains', CHAINS];
  if (!(await succeeds(tensorflow(), alone)) || !(await judge())) return false;
  // The same operations in functions, branches, loops and maps.
  rmSync(folder, { recursive: true, force: true });
  const within = [...make, '--count', String(placed), '--each', '1', '--placed'];
  return (await succeeds(tensorflow(), within)) && (await judge());
}

/** Compares random images of every format, intact and damaged, with TensorFlow's decoded pixels. */
function imagesAgree(): Promise<boolean> {
  const counts = ['--jpegs', String(CASES * 2), '--others', String(Math.ceil(CASES / 5))];
  return succeeds(tensorflow(), [`${CONVERTER}/images/compare_images.py`, node, '--seed', SEED, ...counts]);
}

/** Saves models of many kinds and compares their answers; prints the duration of their conversion. */
async function zooAgrees(): Promise<boolean> {
  const folder = path.join(KEPT, 'zoo');
  const zoo = process.env['ZOO'];
  const most = zoo === undefined ? [] : ['--weekly', '--drawn', '100'];
  const all = [...most, ...(zoo === 'all' ? ['--large'] : [])];
  return succeeds(tensorflow(), [`${CONVERTER}/zoo/run.py`, folder, '--node', node, '--seed', SEED, ...all]);
}

/** A number that changes with the sources in these folders. */
function seedOf(...folders: readonly string[]): string {
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.{ts,wasm}`),
    { cwd: ROOT, exclude: ['**/{node_modules,test,lab}/**'] },
  );
  return String(files.sort().reduce((sum, file) => crc32(readFileSync(path.join(ROOT, file)), sum), 0));
}

function tensorflow(): string {
  return path.join(pythonEnvironment('../packages/savedmodel/lab/operations'), 'python');
}

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(program, args, { cwd: HERE, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  return code === 0;
}

/** Pipes the output of a program of this repository into a Python script that judges it. */
async function agrees(ours: string, theirs: string): Promise<boolean> {
  const ourSide = spawn(node, [ours], {
    cwd: HERE,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const judge = spawn(path.join(bin, 'python'), [theirs], {
    cwd: HERE,
    stdio: [ourSide.stdout, 'inherit', 'inherit'],
  });
  const codes = await Promise.all([ourSide, judge].map((child) => once(child, 'exit')));
  return codes.every(([code]) => code === 0);
}
