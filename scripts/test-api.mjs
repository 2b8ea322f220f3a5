// `npm run test:api`: schemathesis, a property-based client, runs docs/openapi.json against the stack on this machine.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const venv = `${root}.venv/api`;
const requirements = `${root}scripts/test-api.requirements.txt`;
const stamp = `${venv}/requirements.txt`;

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== readFileSync(requirements, 'utf8')) {
  run('python3', ['-m', 'venv', venv]);
  run(`${venv}/bin/python`, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '-r',
    requirements,
  ]);
  writeFileSync(stamp, readFileSync(requirements));
}
run(process.execPath, ['test/api/contract.ts', `${venv}/bin/schemathesis`]);

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error?.code === 'ENOENT') {
    process.stderr.write(
      `test:api needs ${command} with the module venv (Debian: apt install python3-venv)\n`,
    );
    process.exit(1);
  }
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
