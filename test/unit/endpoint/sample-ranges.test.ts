import fc from 'fast-check';
import { expect, test } from 'vitest';
import { interleave, sampleRanges, wholeLines } from '../../../src/endpoint/sample-ranges.ts';

test('whole lines of windows are lines of the file', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 200 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 16, max: 64 }),
      (lines, count, window) => {
        const text = `${lines.join('\n')}\n`;
        const known = new Set(lines);
        const ranges = sampleRanges(text.length, count, window);
        const found = ranges.flatMap((range) =>
          wholeLines(text.slice(range.start, range.end), range, text.length),
        );
        for (const line of found) expect(known.has(line)).toBe(true);
        if (ranges[0]!.end === text.length) expect(found).toEqual(lines.filter((line) => line !== ''));
        expect(ranges.at(-1)!.end).toBeLessThanOrEqual(text.length);
      },
    ),
  );
});

test('items can be taken in turns, each once', () => {
  expect(interleave([0, 1, 2, 3, 4, 5, 6], 3, 0)).toEqual([0, 3, 6, 1, 4, 2, 5]);
  expect(interleave([0, 1, 2, 3, 4, 5, 6], 3, 2)).toEqual([2, 5, 0, 3, 6, 1, 4]);
  expect(interleave([0], 3, 1)).toEqual([0]);
});

test.each([
  [100, 10, 10, [[0, 100]]],
  [
    101,
    2,
    50,
    [
      [0, 50],
      [51, 101],
    ],
  ],
  [
    1_000,
    3,
    10,
    [
      [0, 10],
      [495, 505],
      [990, 1_000],
    ],
  ],
  [1_000, 1, 10, [[0, 10]]],
])('of %d bytes, %d windows of %d bytes are %j', (size, count, window, ranges) => {
  expect(sampleRanges(size, count, window).map(({ start, end }) => [start, end])).toEqual(ranges);
});

test('the last line of a window is cut unless the file ends there', () => {
  expect(wholeLines('a\nb\nc', { start: 0, end: 5 }, 9)).toEqual(['a', 'b']);
  expect(wholeLines('a\nb\nc', { start: 4, end: 9 }, 9)).toEqual(['b', 'c']);
});
