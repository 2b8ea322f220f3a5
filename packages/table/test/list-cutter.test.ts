import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementsOf, readList } from '../list-cutter.ts';

async function* inChunks(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const read = async (text: string, size = 1_000, maxBytes?: number) =>
  (await Array.fromAsync(readList(inChunks(text, size), maxBytes))).flat();
const texts = async (text: string, size?: number) =>
  (await read(text, size)).map(({ bytes }) => bytes.toString());

test('any list, however it is written and in any chunks, has the elements of JSON.parse, each in its place and line', async () => {
  const drawn = fc.record({
    list: fc.array(fc.jsonValue(), { maxLength: 6 }),
    indent: fc.constantFrom(0, 1, '\t'),
    around: fc.constantFrom('', ' ', '\n', '\r\n'),
    size: fc.integer({ min: 1, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(drawn, async ({ list, indent, around, size }) => {
      const text = around + JSON.stringify(list, null, indent) + around;
      const bytes = Buffer.from(text);
      const found = await read(text, size);
      expect(found.map((element) => JSON.parse(element.bytes.toString()))).toEqual(JSON.parse(text));
      for (const { start, end, line, bytes: own } of found) {
        expect(bytes.subarray(start, end)).toEqual(own);
        expect(line).toBe(bytes.subarray(0, start).toString().split('\n').length);
      }
      expect(Array.from(elementsOf(text), ({ bytes: own }) => own.toString())).toEqual(
        found.map(({ bytes: own }) => own.toString()),
      );
    }),
  );
});

test.each([
  ['[]', []],
  ['\ufeff[1, 2,]', ['1', '2']],
  ['[1,,2]', ['1', '', '2']],
  ['[{"a": "]\\"}\\\\"}, [","]]', ['{"a": "]\\"}\\\\"}', '[","]']],
  ['[{"a": 1 "b": 2}, {"a": 2}}, 3]', ['{"a": 1 "b": 2}', '{"a": 2}}', '3']],
])('%s is cut by its brackets', async (text, elements) => {
  for (const size of [1, 2, 3, 1_000]) expect(await texts(text, size)).toEqual(elements);
});

test.each([
  ['[1, {"a": 2}', 'open-list', 1],
  ['[1,\n{"a": "2', 'open-list', 2],
  ['[1,\n2,\n', 'open-list', 3],
  ['[', 'open-list', 1],
  ['[1]\n[2]', 'behind-list', 2],
  ['[1] x', 'behind-list', 1],
  ['[1,\n"23456789"]', 'too-long', 2],
])('%j is refused after the elements before', async (text, reason, line) => {
  for (const size of [1, 3, 1_000])
    await expect(read(text, size, 9)).rejects.toMatchObject({ name: 'RecordUnreadable', reason, line });
});
