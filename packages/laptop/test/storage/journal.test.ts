import { writeSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openJournal } from '../../storage/journal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let dir: string;
beforeEach(async () => void (dir = temporaryFolder('journal-')));
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function replay(file: string): { records: unknown[]; journal: ReturnType<typeof openJournal> } {
  const records: unknown[] = [];
  return { records, journal: openJournal(file, (record) => void records.push(record)) };
}

test('what was appended comes back in order, also across the size of a read', async () => {
  const file = join(dir, 'a.jsonl');
  const { journal } = replay(file);
  const records = Array.from({ length: 3000 }, (_, n) => ({ n, text: 'ü'.repeat(400) }));
  for (const record of records) journal.append(record);
  await journal.written();
  const again = replay(file);
  expect(again.records).toEqual(records);
  expect(again.journal.lines).toBe(3000);
  journal.close();
  again.journal.close();
});

test('a last line without its end is cut off, and the next one stands where it was', async () => {
  const file = join(dir, 'a.jsonl');
  await writeFile(file, '{"n":1}\n{"n":2');
  const { records, journal } = replay(file);
  expect(records).toEqual([{ n: 1 }]);
  journal.append({ n: 3 });
  journal.close();
  expect(await readFile(file, 'utf8')).toBe('{"n":1}\n{"n":3}\n');
});

test('a damaged line that is not the last is an error with file and line', async () => {
  const file = join(dir, 'a.jsonl');
  await writeFile(file, '{"n":1}\noops\n{"n":2}\n');
  expect(() => replay(file)).toThrow(/a\.jsonl: line 2 is not JSON/);
});

test('rewriting replaces what is in the file and what is on its way', () => {
  const file = join(dir, 'a.jsonl');
  const { journal } = replay(file);
  journal.append({ n: 1 });
  journal.rewrite([{ n: 7 }, { n: 8 }]);
  journal.append({ n: 9 });
  const seen: unknown[] = [];
  journal.read((record) => void seen.push(record));
  expect(seen).toEqual([{ n: 7 }, { n: 8 }, { n: 9 }]);
  journal.close();
});

test('records that are gathered are read before they are written, and written at the latest when the journal closes', async () => {
  const file = join(dir, 'a.jsonl');
  const journal = openJournal(file, () => undefined, { gatherMs: 3_600_000 });
  journal.append({ n: 1 });
  const seen: unknown[] = [];
  journal.read((record) => void seen.push(record));
  expect(seen).toEqual([{ n: 1 }]);
  journal.append({ n: 2 });
  journal.close();
  expect(await readFile(file, 'utf8')).toBe('{"n":1}\n{"n":2}\n');
});

test('reading stops when the visitor has enough', () => {
  const { journal } = replay(join(dir, 'a.jsonl'));
  for (let n = 0; n < 10; n++) journal.append({ n });
  const seen: unknown[] = [];
  journal.read((record) => seen.push(record) < 3);
  expect(seen).toHaveLength(3);
  journal.close();
});

/** A disk that takes five bytes of each write and no more, until it has room. */
function fullDisk() {
  const disk = { hasRoom: false, printed: '' };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    disk.printed += String(line);
    return true;
  });
  const write = (
    fd: number,
    bytes: NodeJS.ArrayBufferView,
    offset: number,
    length: number,
    position: number,
  ): number => {
    if (disk.hasRoom) return writeSync(fd, bytes, offset, length, position);
    if (offset > 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    return writeSync(fd, bytes, offset, 5, position);
  };
  return { disk, write };
}

test('on a full disk records wait, in order, until there is room', async () => {
  const file = join(dir, 'a.jsonl');
  const { disk, write } = fullDisk();
  const journal = openJournal(file, () => undefined, { write });
  journal.append({ n: 1 });
  let isWritten = false;
  const written = journal.written().then(() => (isWritten = true));
  await expect.poll(() => disk.printed).toMatch(/a\.jsonl: 1 records wait .*no space left/);
  journal.append({ n: 2 });
  expect(isWritten).toBe(false);
  disk.hasRoom = true;
  await vi.advanceTimersByTimeAsync(1000);
  await written;
  journal.close();
  expect(await readFile(file, 'utf8')).toBe('{"n":1}\n{"n":2}\n');
});

test('a journal that cannot be rewritten goes on as it was', async () => {
  const file = join(dir, 'a.jsonl');
  const { disk, write } = fullDisk();
  disk.hasRoom = true;
  const journal = openJournal(file, () => undefined, { write });
  journal.append({ n: 1 });
  await journal.written();
  journal.append({ n: 2 });
  disk.hasRoom = false;
  expect(() => journal.rewrite([{ n: 2 }])).toThrow('no space left');
  journal.compact([{ n: 2 }]);
  expect(disk.printed).toMatch(/a\.jsonl: could not be shortened: .*no space left/);
  disk.hasRoom = true;
  journal.append({ n: 3 });
  expect(journal.lines).toBe(3);
  journal.close();
  expect(await readFile(file, 'utf8')).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
});
