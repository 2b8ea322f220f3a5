// `npm run test:oracle`: every metric against scikit-learn, SciPy and statsmodels, on hundreds of random problems; and the
// Parquet rows against the programs that people read them with.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ensureInstalled, node24, root } from './bootstrap.mjs';
import { pythonEnvironment } from './python-environment.mjs';

ensureInstalled();
const bin = pythonEnvironment('oracle', path.join(root, 'test', 'oracle', 'requirements.txt'));
process.exitCode =
  (await agrees('problems.ts', 'compare.py')) && (await agrees('rows.ts', 'compare_rows.py')) ? 0 : 1;

/** Lets a program of this repository tell a script of Python what it has found. */
async function agrees(ours, theirs) {
  const cwd = path.join(root, 'test', 'oracle');
  const told = spawn(node24(), [ours], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const judge = spawn(path.join(bin, 'python'), [theirs], {
    cwd,
    stdio: [told.stdout, 'inherit', 'inherit'],
  });
  const codes = await Promise.all([told, judge].map((child) => once(child, 'exit')));
  return codes.every(([code]) => code === 0);
}
