import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLineBatches, readLines, toJsonLine } from '../../../src/text/json-lines.ts';
import { pieces } from '../../support/pieces.ts';

it('reads back what was written, wherever the stream is cut', async () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u2028', '🐈', '"') }));
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 7 }), async (values, size) => {
      const lines = await Array.fromAsync(readLines(pieces(values.map(toJsonLine).join(''), size)));
      expect(lines.map((line) => JSON.parse(line))).toEqual(values);
      const batches = await Array.fromAsync(readLineBatches(pieces(values.map(toJsonLine).join(''), size)));
      expect(batches.flat()).toEqual(lines.map((line) => ({ line, bytes: Buffer.byteLength(line) + 1 })));
    }),
  );
});

it('reads a last line without an end, and none behind an end', async () => {
  const lines = (text: string) => Array.fromAsync(readLines(pieces(text, 100)));
  expect(await lines('a\n\nb')).toEqual(['a', '', 'b']);
  expect(await lines('a\n')).toEqual(['a']);
  expect(await lines('')).toEqual([]);
});

it('leaves no character in a line that a reader could take for its end', () => {
  expect(toJsonLine('a\u2028b\u2029c\nd')).toBe('"a\\u2028b\\u2029c\\nd"\n');
});
