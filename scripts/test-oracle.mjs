// `npm run test:oracle`: every metric against scikit-learn, SciPy and statsmodels, on hundreds of random problems.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const venv = `${root}.venv/oracle`;
const python = `${venv}/bin/python`;
const requirements = `${root}scripts/test-oracle.requirements.txt`;
const stamp = `${venv}/requirements.txt`;

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== readFileSync(requirements, 'utf8')) {
  run('python3', ['-m', 'venv', venv]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  writeFileSync(stamp, readFileSync(requirements));
}

const problems = spawn(process.execPath, ['test/oracle/problems.ts'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const compare = spawn(python, ['test/oracle/compare.py'], {
  cwd: root,
  stdio: [problems.stdout, 'inherit', 'inherit'],
});
const [made, compared] = await Promise.all([ended(problems), ended(compare)]);
process.exit(made || compared);

function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error?.code === 'ENOENT') {
    process.stderr.write(
      `test:oracle needs ${command} with the module venv (Debian: apt install python3-venv)\n`,
    );
    process.exit(1);
  }
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
