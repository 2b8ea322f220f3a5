import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { boundLog } from '../bounded-log.ts';
import { readLines } from '../python-process/frame-process.ts';

const MIB = 1024 ** 2;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const clock = {
  now: () => Date.now(),
  after(delayMs: number, callback: () => void) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  advance: (ms: number) => vi.advanceTimersByTimeAsync(ms),
};

/** A bounded log and what came through. */
function bounded() {
  const written: string[] = [];
  return { clock, written, log: boundLog((line) => void written.push(line), clock) };
}
const bytesOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);

test('a loop that prints fills no disk: what is beyond the bound is dropped and counted', async () => {
  const { clock, written, log } = bounded();
  for (let second = 0; second < 8; second++) {
    for (let line = 0; line < 4_000; line++) log.write('x'.repeat(1000));
    await clock.advance(1_000);
  }
  log.flush();
  expect(bytesOf(written)).toBeLessThan(1.5 * MIB);
  const kept = written.filter((line) => line.startsWith('x')).length;
  const dropped = written.flatMap((line) => /^(\d+) lines dropped/.exec(line)?.[1] ?? []).map(Number);
  expect(dropped.length).toBeGreaterThan(1);
  expect(kept + dropped.reduce((sum, count) => sum + count, 0)).toBe(32_000);
});

test('the count comes before the next line that has room, or after ten seconds', async () => {
  const { clock, written, log } = bounded();
  log.write('x'.repeat(MIB - 26));
  log.write('');
  log.write('é');
  expect(written).toHaveLength(1);
  await clock.advance(9_999);
  expect(written).toHaveLength(1);
  await clock.advance(1);
  const notice =
    '2 lines dropped (54 bytes): a container may write 1048576 bytes into its log at once, and 32768 a second';
  expect(written.slice(1)).toEqual([notice]);
  log.write('y'.repeat(MIB));
  log.write('after');
  expect(written.slice(2)).toEqual([
    notice.replace('2 lines', '1 line').replace('54', String(MIB + 26)),
    'after',
  ]);
  await clock.advance(20_000);
  log.flush();
  expect(written).toHaveLength(4);
});

test('what few lines need is never dropped, however long it goes on', async () => {
  const { clock, written, log } = bounded();
  for (let second = 0; second < 600; second++) {
    for (let line = 0; line < 200; line++) log.write('a request was answered in 12 milliseconds');
    await clock.advance(1_000);
  }
  expect(written).toHaveLength(600 * 200);
});

async function linesOf(pieces: readonly (string | Buffer)[]) {
  const stream = new PassThrough();
  const lines: string[] = [];
  readLines(stream, (line) => void lines.push(line));
  for (const piece of pieces) stream.write(piece);
  stream.end();
  await finished(stream);
  return lines;
}

test.each([
  ['lines', ['one\ntwo\r\nthree\r', 'four'], ['one', 'two', 'three', 'four']],
  ['a break in two pieces', ['one\r', '\ntwo\r'], ['one', 'two']],
  ['empty lines', ['\n\n'], ['', '']],
  ['a character in two pieces', [Buffer.from('é').subarray(0, 1), Buffer.from('é\n').subarray(1)], ['é']],
])('%s of a program are read', async (_name, pieces, expected) => {
  expect(await linesOf(pieces)).toEqual(expected);
});

test.each([
  ['a line without an end', ['x'.repeat(100_000), 'y'.repeat(100_000)], [65_536, 65_536, 65_536, 3_392]],
  ['a long line', [`${'x'.repeat(70_000)}\n`, 'y'], [65_536, 4_464, 1]],
])('%s comes in pieces', async (_name, pieces, lengths) => {
  expect((await linesOf(pieces)).map(({ length }) => length)).toEqual(lengths);
});
