/**
 * `npm run lab -- mutations`: the packaged application with one deliberate mistake at a time; prints what detected each, and the
 * message.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const folder = path.join(ROOT, 'build', 'mutations');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const [given = 'lab/mutations', ...others] = process.argv.slice(2);
const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', given, ...others], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.stdout.write(
  '| mistake | detected by | message of the laptop | part of the message of AWS |\n| --- | --- | --- | --- |\n',
);
for (const file of readdirSync(folder).sort())
  process.stdout.write(readFileSync(path.join(folder, file), 'utf8'));
process.exitCode = status ?? 1;
