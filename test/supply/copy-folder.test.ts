import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { copyFolder } from '../../scripts/copy-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it.runIf(process.platform !== 'win32')(
  'copies a read-only package so that the copy can be removed',
  async () => {
    const folder = temporaryFolder('copy-folder-');
    const [from, to] = [path.join(folder, 'package'), path.join(folder, 'copy')];
    await mkdir(path.join(from, 'lib'), { recursive: true });
    await writeFile(path.join(from, 'lib', 'one.js'), 'one', { mode: 0o444 });
    await writeFile(path.join(from, 'lib', 'one.js.map'), 'map');
    const places = [from, path.join(from, 'lib')];
    for (const place of places) await chmod(place, 0o555);
    try {
      await copyFolder(from, to, (file) => !file.endsWith('.map'));
    } finally {
      for (const place of places) await chmod(place, 0o755);
    }
    expect(await readFile(path.join(to, 'lib', 'one.js'), 'utf8')).toBe('one');
    await expect(stat(path.join(to, 'lib', 'one.js.map'))).rejects.toThrow('ENOENT');
    // A mode, since root may write anywhere.
    for (const place of [to, path.join(to, 'lib'), path.join(to, 'lib', 'one.js')])
      expect((await stat(place)).mode & 0o200, place).toBe(0o200);
  },
);
