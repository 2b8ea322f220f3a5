/**
 * `npm run lab -- estimators [--seed N]`: all estimators of scikit-learn that fit drawn rows, alone and behind a scaler,
 * converted by the script that users run, in single and in double precision, and compared with their own answers.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compareWithLibrary, type LibraryAnswers } from '../../../src/cli/model/compare-with-library.ts';
import { pythonEnvironment } from '../../python-environment.ts';

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } });
const SCRIPT = path.join(import.meta.dirname, '../../../src/models/pickle/scikit_learn.py');
/** The product's bound. */
const BOUND = 1e-5;
/** Fewer than these that convert and answer alike are a step back. */
const FEWEST = 100;

const folder = mkdtempSync(path.join(tmpdir(), 'inferdrop-scikit-learn-'));
try {
  const python = path.join(pythonEnvironment('oracle/scikit-learn'), 'python');
  const convert = path.join(import.meta.dirname, 'convert_estimators.py');
  const { status } = spawnSync(python, [convert, SCRIPT, folder, values.seed], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Threads that wait for one another take minutes on a busy machine.
    env: { ...process.env, OMP_NUM_THREADS: '1' },
  });
  if (status !== 0) process.exit(1);
  const counts = { float32: 0, float64: 0, either: 0, all: 0 };
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory())) {
    counts.all++;
    const reason = path.join(folder, name, 'reason.txt');
    if (existsSync(reason)) {
      process.stdout.write(`${name}: not converted, ${readFileSync(reason, 'utf8').slice(0, 110)}\n`);
      continue;
    }
    const found = {
      float32: await differenceOf(name, 'float32'),
      float64: await differenceOf(name, 'float64'),
    };
    for (const precision of ['float32', 'float64'] as const)
      if (found[precision] <= BOUND) counts[precision]++;
    if (Math.min(found.float32, found.float64) <= BOUND) counts.either++;
    else
      process.stdout.write(
        `${name}: refused, float32 differs by ${found.float32}, float64 by ${found.float64}\n`,
      );
  }
  const { float32, float64, either, all } = counts;
  process.stdout.write(
    `${either} of ${all} estimators answer alike within ${BOUND}: ${float32} in float32, ${float64} in float64\n`,
  );
  if (either < FEWEST) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** Largest difference of a model in a precision, or infinite if no conversion of it runs. */
async function differenceOf(name: string, precision: string): Promise<number> {
  const file = path.join(folder, name, `${precision}.onnx`);
  if (!existsSync(file)) return Infinity;
  const facts = JSON.parse(readFileSync(path.join(folder, name, 'facts.json'), 'utf8')) as LibraryAnswers;
  const compared = await compareWithLibrary(file, facts);
  return 'reason' in compared ? Infinity : compared.difference;
}
