import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fileProblem, readFailure } from '../../../src/cli/files/file-problem.ts';

function errorOf(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing failed');
}

test('a file that cannot be written is named, with the remedy', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'inferdrop-'));
  const missing = path.join(dir, 'gone', 'report.md');
  expect(
    fileProblem(
      errorOf(() => writeFileSync(missing, '')),
      '--save',
    ),
  ).toBe(
    `${missing} is not there, or the folder ${path.dirname(missing)} is not: make what is missing, or name another place with --save`,
  );
  expect(fileProblem(errorOf(() => writeFileSync(dir, '')))).toBe(
    `${dir} is a folder, and a file is meant: rename that folder, or name another place`,
  );
  const copy = errorOf(() => copyFileSync(import.meta.filename, missing));
  expect(fileProblem(copy)).toContain(missing);
  rmSync(dir, { recursive: true });
});

test('why a named file could not be read is said in words where they are known', () => {
  expect(readFailure(errorOf(() => readFileSync(tmpdir())))).toBe('it is a folder');
  expect(readFailure(errorOf(() => readFileSync('/gone/away')))).toBe('it is not there');
  expect(readFailure(new Error('incorrect header check'))).toBe('incorrect header check');
});

test('codes that a test as root cannot cause have sentences, and other errors have none', () => {
  const failed = (code: string) =>
    Object.assign(new Error(`${code}: …`), { code, path: '/data', syscall: 'mkdir' });
  expect(fileProblem(failed('EROFS'))).toBe(
    '/data is on a file system that is read-only: make it writable, or name another place',
  );
  expect(fileProblem(failed('EACCES'))).toBe(
    'this user may not use /data: correct its permissions, or name another place',
  );
  expect(fileProblem(failed('EBADF'))).toBeUndefined();
  expect(fileProblem(new Error('EROFS'))).toBeUndefined();
  expect(fileProblem('EROFS')).toBeUndefined();
});
