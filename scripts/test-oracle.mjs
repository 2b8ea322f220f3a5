// `npm run test:oracle`: every metric against scikit-learn, SciPy and statsmodels, on hundreds of random problems.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ensureInstalled, node24, root } from './bootstrap.mjs';
import { pythonEnvironment } from './python-environment.mjs';

ensureInstalled();
const bin = pythonEnvironment('oracle', path.join(root, 'test', 'oracle', 'requirements.txt'));
const problems = spawn(node24(), ['test/oracle/problems.ts'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const compare = spawn(path.join(bin, 'python'), ['test/oracle/compare.py'], {
  cwd: root,
  stdio: [problems.stdout, 'inherit', 'inherit'],
});
const codes = await Promise.all([problems, compare].map((child) => once(child, 'exit')));
process.exitCode = codes.every(([code]) => code === 0) ? 0 : 1;
