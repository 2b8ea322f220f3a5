import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../../src/cli/files/make-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('a folder is made with those above it and the mode, and one that is there is left', async () => {
  const dir = temporaryFolder('inferdrop-');
  const folder = path.join(dir, 'a', 'b');
  await makeFolder(folder, 0o700);
  await makeFolder(folder, 0o755);
  expect(statSync(folder).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o700);
});

it('a file in the place of a folder is refused', async () => {
  const file = path.join(temporaryFolder('inferdrop-'), 'file');
  writeFileSync(file, '');
  await expect(makeFolder(path.join(file, 'x'))).rejects.toThrow(/EEXIST|ENOTDIR/);
});

it.runIf(process.platform === 'linux')(
  'a place that takes no folders is refused, where a recursive mkdir would not return',
  async () => {
    await expect(makeFolder('/proc/x/y')).rejects.toThrow(
      '/proc/x cannot be made, since no folder can be made in /proc: name another place',
    );
  },
);
