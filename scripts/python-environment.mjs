// Environments of the suites that need Python: below .venv/, one for each list of requirements, made once.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './bootstrap.mjs';

/** Oldest Python for which all pinned packages are published. */
const OLDEST_PYTHON = [3, 10];

/** Installs a pinned list of requirements unless it is there, and returns the folder of its programs. */
export function pythonEnvironment(name, requirements) {
  const venv = path.join(root, '.venv', name);
  const bin = path.join(venv, process.platform === 'win32' ? 'Scripts' : 'bin');
  const wanted = readFileSync(requirements, 'utf8');
  const stamp = path.join(venv, 'requirements.txt');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return bin;

  process.stderr.write(`Installing ${path.relative(root, requirements)} (once)…\n`);
  run(findPython(name), ['-m', 'venv', '--clear', venv]);
  run(path.join(bin, 'python'), [
    ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'],
    ...['-r', requirements],
  ]);
  writeFileSync(stamp, wanted);
  return bin;
}

function findPython(name) {
  const found = [];
  for (const command of ['python3', 'python']) {
    const { status, stdout } = spawnSync(command, ['-c', 'import sys; print(*sys.version_info[:2])'], {
      encoding: 'utf8',
    });
    if (status !== 0) continue;
    const [major, minor] = stdout.trim().split(' ').map(Number);
    if (major === OLDEST_PYTHON[0] && minor >= OLDEST_PYTHON[1]) return command;
    found.push(`${command} is ${major}.${minor}`);
  }
  process.stderr.write(
    `test:${name} needs Python ${OLDEST_PYTHON.join('.')} or newer as python3 on the PATH (${found.join(', ') || 'there is none'}): ` +
      'install it, such as with `apt install python3 python3-venv` or `brew install python`, and run the command again.\n',
  );
  process.exit(1);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
