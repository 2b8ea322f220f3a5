import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PACKAGE = path.join(import.meta.dirname, '..');

test('the program at the top of the README runs as it stands', async () => {
  const readme = await readFile(path.join(PACKAGE, 'README.md'), 'utf8');
  const program = /^# [^\n]*\n\n```ts\n(.*?)```/s.exec(readme)?.[1] ?? '';
  const said = /console\.log\(.*\); \/\/ (.*)/.exec(program)?.[1];

  // Below the package, so that the names of packages are found as a reader finds them.
  const folder = await mkdtemp(path.join(PACKAGE, '.readme-'));
  try {
    await writeFile(path.join(folder, 'program.ts'), program);
    const { stdout } = await promisify(execFile)(process.execPath, ['program.ts'], { cwd: folder });
    expect(stdout.trim()).toBe(said);
  } finally {
    await rm(folder, { recursive: true });
  }
}, 60_000);
