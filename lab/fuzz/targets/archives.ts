import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { unpackModelArchive } from '@inferdrop/model-container/internal/model-archive';
import { layoutProblems } from '../../../src/frameworks/archives.ts';
import { readArchive } from '../../../src/model/read-archive.ts';
import type { Chance } from '../chance.ts';
import { mutateBytes } from '../mutate.ts';
import { type FuzzTarget, refusedByName } from '../target.ts';

const FILES = { './1/saved_model.pb': 'graph'.repeat(300), 'code/inference.py': 'x'.repeat(2_000) };
const LONG = `${'folder/'.repeat(60)}${'n'.repeat(200)}.bin`;
const ODD: readonly (Partial<Header> & { name: string })[] = [
  { name: 'link', type: 'symlink', linkname: '/etc/passwd' },
  { name: 'hard', type: 'link', linkname: '../../outside' },
  { name: '../outside' },
  { name: '/absolute' },
  { name: 'device', type: 'character-device' },
  { name: 'pipe', type: 'fifo' },
  { name: 'folder/', type: 'directory' },
  { name: '/', type: 'directory' },
  { name: LONG },
  { name: 'pax', pax: { path: 'other/name', comment: 'c'.repeat(500), size: '7' } },
];
/** A tar header with a corrected checksum gets further in than one that is only damaged. */
const BLOCK = 512;
const FIELDS = [
  ['0000644', 100],
  ['77777777777', 124],
  ['\x80\0\0\0\0\0\0\x7f\xff\xff\xff\xff', 124],
  ['00000000000', 124],
  ['-0000000001', 124],
  ['L', 156],
  ['K', 156],
  ['x', 156],
  ['g', 156],
  ['S', 156],
  ['1', 156],
  ['2', 156],
  ['\0', 156],
  ['../../../x', 0],
  ['/x', 0],
  ['\0', 0],
  ['..', 345],
] as const;
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 });
const LIMITS = { maxUnpackedBytes: 16 * 1024 * 1024, maxEntries: 2_000 };

/** Model archives: what PlanRun reads of them, and how the laptop's containers unpack them. */
export async function open(): Promise<FuzzTarget<Buffer>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fuzz-archives-'));
  const inner = path.join(folder, 'a', 'model');
  return {
    name: 'archives',
    mostCpuMs: 5_000,
    seeds: [
      await archiveOf([]),
      await archiveOf(ODD.slice(6)),
      await archiveOf(ODD),
      ...(await Promise.all(ODD.map((odd) => archiveOf([odd])))),
    ],
    mutate(seed, chance) {
      if (chance.happens(0.02)) return BOMB;
      if (chance.happens(0.25)) return mutateBytes(seed, chance);
      if (chance.happens(0.4)) return gzipSync(mutateBytes(gunzipSync(seed), chance), { level: 1 });
      return gzipSync(withRightSums(gunzipSync(seed), chance), { level: 1 });
    },
    async judge(bytes) {
      const read = await readArchive(Readable.from(pieces(bytes)));
      if ('reason' in read && read.reason.length < 8) return `refused with ${JSON.stringify(read.reason)}`;
      if ('files' in read)
        layoutProblems(read.files, {
          framework: 'tensorflow',
          contentType: 'application/json',
          networkIsolation: true,
        });
      const wrong = await refusedByName(['BadModelArchive'], () =>
        unpackModelArchive(Readable.from(pieces(bytes)), inner, LIMITS),
      );
      const outside = await Promise.all([readdir(folder), readdir(path.join(folder, 'a')).catch(() => [])]);
      await rm(path.join(folder, 'a'), { recursive: true, force: true });
      const strange = outside.flat().filter((name) => name !== 'a' && name !== 'model');
      return strange.length > 0 ? `wrote ${strange.join(', ')} outside of its folder` : wrong;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function archiveOf(odd: readonly (Partial<Header> & { name: string })[]): Promise<Buffer> {
  const tar = pack();
  for (const [name, body] of Object.entries(FILES)) tar.entry({ name }, body);
  for (const header of odd)
    if (header.type === undefined) tar.entry({ ...header }, 'odd');
    else tar.entry({ ...header } as Header);
  tar.finalize();
  return gzipSync(Buffer.concat(await Array.fromAsync(tar as AsyncIterable<Buffer>)));
}

function withRightSums(tar: Buffer, chance: Chance): Buffer {
  const bytes = Buffer.from(tar);
  for (let left = chance.size(4); left > 0; left--) {
    const at = BLOCK * chance.below(Math.max(1, bytes.length / BLOCK));
    if (chance.happens(0.7)) {
      const [text, field] = chance.oneOf(FIELDS);
      bytes.write(text, at + field, 'latin1');
    } else bytes[at + chance.below(BLOCK)] = chance.below(256);
    bytes.write('        ', at + 148, 'latin1');
    const sum = bytes.subarray(at, at + BLOCK).reduce((total, byte) => total + byte, 0);
    bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148, 'latin1');
  }
  return bytes;
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 4_096) yield bytes.subarray(at, at + 4_096);
}
