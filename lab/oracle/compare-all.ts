/**
 * `npm run test:oracle`: every metric against scikit-learn, SciPy and statsmodels, on hundreds of random problems; label errors
 * against cleanlab; Parquet rows against common readers; every converted operation against TensorFlow, on random cases; images
 * against its decoders; a zoo of models; `ZOO=all` adds the largest, which take gigabytes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { pythonEnvironment } from '../python-environment.ts';

const HERE = import.meta.dirname;
/** Has the environments of Python, and large files of cases. */
const KEPT = path.resolve(HERE, '..', '..', '.venv');
/** Random cases for each family of operations; 50 families make about 36,000. */
const CASES = 600;
/** A fixed seed: with another seed each time, the gate would fail for changes that are not to blame. `SEED=N` sets another. */
const SEED = process.env['SEED'] ?? '2';

const bin = pythonEnvironment('oracle');
const node = process.execPath;
const agree =
  (await agrees('problems.ts', 'compare.py')) &&
  (await agrees('judging.ts', 'compare_judging.py')) &&
  (await agrees('rows.ts', 'compare_rows.py')) &&
  (await operationsAgree(SEED)) &&
  (await imagesAgree()) &&
  (await zooAgrees());
process.exitCode = agree ? 0 : 1;

/** Compares random cases of a seed with TensorFlow's answers. */
async function operationsAgree(seed: string): Promise<boolean> {
  process.stdout.write(`operations: seed ${seed}, SEED=N draws others\n`);
  const folder = path.join(KEPT, 'operation-cases');
  rmSync(folder, { recursive: true, force: true });
  const make = ['operations/make_cases.py', folder, '--seed', seed, '--count', String(CASES)];
  const judge = () => succeeds(node, ['operations.ts', folder]);
  if (!(await succeeds(tensorflow(), make)) || !(await judge())) return false;
  // The same operations in functions, branches, loops and maps.
  rmSync(folder, { recursive: true, force: true });
  return (await succeeds(tensorflow(), [...make, '--count', '60', '--placed'])) && (await judge());
}

/** Compares random images of every format, intact and damaged, with TensorFlow's decoded pixels. */
function imagesAgree(): Promise<boolean> {
  return succeeds(tensorflow(), ['images/compare_images.py', node]);
}

/** Saves models of many kinds and compares their answers; prints the duration of their conversion. */
async function zooAgrees(): Promise<boolean> {
  const folder = path.join(KEPT, 'zoo');
  const large = process.env['ZOO'] === 'all' ? ['--large'] : [];
  return succeeds(tensorflow(), ['zoo/run.py', folder, '--node', node, ...large]);
}

function tensorflow(): string {
  return path.join(pythonEnvironment('oracle/operations'), 'python');
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
