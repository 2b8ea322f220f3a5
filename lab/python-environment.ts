import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Oldest Python for which all pinned packages are published. */
const OLDEST_PYTHON = { major: 3, minor: 10 };

/**
 * Installs the pinned requirements.txt of a folder of this one below .venv/, once.
 *
 * @returns the folder of its programs
 */
export function pythonEnvironment(folder: string): string {
  const requirements = path.join(import.meta.dirname, folder, 'requirements.txt');
  const venv = path.join(ROOT, '.venv', path.basename(folder));
  const bin = path.join(venv, process.platform === 'win32' ? 'Scripts' : 'bin');
  const wanted = readFileSync(requirements, 'utf8');
  const stamp = path.join(venv, 'requirements.txt');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return bin;

  process.stderr.write(`Installing ${path.relative(ROOT, requirements)} (once)…\n`);
  run(findPython(), ['-m', 'venv', '--clear', venv]);
  run(path.join(bin, 'python'), [
    ...['-m', 'pip', 'install', '-qq', '--disable-pip-version-check'],
    ...['-r', requirements],
  ]);
  writeFileSync(stamp, wanted);
  return bin;
}

function findPython(): string {
  const found: string[] = [];
  for (const command of ['python3', 'python']) {
    const { status, stdout } = spawnSync(command, ['-c', 'import sys; print(*sys.version_info[:2])'], {
      encoding: 'utf8',
    });
    if (status !== 0) continue;
    const [major = 0, minor = 0] = stdout.trim().split(' ').map(Number);
    if (major === OLDEST_PYTHON.major && minor >= OLDEST_PYTHON.minor) return command;
    found.push(`${command} is ${major}.${minor}`);
  }
  process.stderr.write(
    `This laboratory needs Python ${OLDEST_PYTHON.major}.${OLDEST_PYTHON.minor} or newer as python3 on the PATH ` +
      `(${found.join(', ') || 'there is none'}): ` +
      'install it, such as with `apt install python3 python3-venv` or `brew install python`, and run the command again.\n',
  );
  process.exit(1);
}

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
