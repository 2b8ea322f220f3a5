import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { pack } from 'tar-stream';
import { expect, test } from 'vitest';
import { tarFiles } from '../../../src/model/tar-files.ts';
import { pieces } from '../../support/pieces.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function namesOf(bytes: Uint8Array, size = 700): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of tarFiles(pieces(bytes, size))) names.push(name);
  return names;
}

async function packed(names: readonly string[], body = 'body'): Promise<Buffer> {
  const tar = pack();
  tar.entry({ name: 'folder/', type: 'directory' });
  for (const name of names) tar.entry({ name }, body);
  tar.entry({ name: 'link', type: 'symlink', linkname: 'folder' });
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

test('names of any length and alphabet are read, and folders and links are not files', async () => {
  const part = fc.string({
    unit: fc.constantFrom('a', 'é', '\u{1F600}', ' ', '='),
    minLength: 1,
    maxLength: 90,
  });
  const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { maxLength: 5 }),
      fc.integer({ min: 1, max: 2000 }),
      async (names, size) => {
        expect(await namesOf(await packed(names, 'x'.repeat(size % 1100)), size)).toEqual(names);
      },
    ),
  );
});

/** Other tars know other formats. */
const hasGnuTar = execFileSync('tar', ['--version'], { encoding: 'utf8' }).includes('GNU tar');

test.runIf(hasGnuTar).each(['gnu', 'ustar', 'posix', 'v7'])(
  'an archive of GNU tar in the format %s is read',
  async (format) => {
    const folder = temporaryFolder('tar-files-');
    const long = `${'deep/'.repeat(format === 'v7' ? 1 : 30)}file.bin`;
    await mkdir(path.join(folder, path.dirname(long)), { recursive: true });
    await writeFile(path.join(folder, long), 'x'.repeat(1000));
    await promisify(execFile)('tar', [`--format=${format}`, '-cf', 'out.tar', '--exclude=out.tar', '.'], {
      cwd: folder,
    });
    const names = await namesOf(await readFile(path.join(folder, 'out.tar')));
    expect(names).toEqual([`./${long}`]);
  },
);

test('a damaged archive is refused', async () => {
  const archive = await packed(['a', 'b'], 'x'.repeat(1000));
  await expect(namesOf(archive.subarray(0, 1600))).rejects.toMatchObject({
    name: 'TarDamaged',
    message: 'it stops within "a"',
  });
  archive[3] = 0x7f;
  await expect(namesOf(archive)).rejects.toMatchObject({ message: 'a header in it has a wrong checksum' });
  await expect(namesOf(Buffer.from('hello '.repeat(200)))).rejects.toMatchObject({ name: 'TarDamaged' });
});

test('whatever bytes come, it ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { maxLength: 3 }), async (changes) => {
      const archive = await packed(['some/file', 'y'.repeat(150)], 'x'.repeat(600));
      for (const [at, value] of changes) archive[at % archive.length] = value;
      const outcome = await namesOf(archive).then(
        () => 'read',
        (error: Error) => error.name,
      );
      expect(['read', 'TarDamaged']).toContain(outcome);
    }),
  );
});
