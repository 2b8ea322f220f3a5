import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FirstOfContent } from '../../../src/judging/first-of-content.ts';

const md5 = (text: string) => hash('md5', text);

test('finds the copies that a set of names finds', () => {
  const content = fc.record({
    content: fc.oneof(
      fc.nat(30).map((at) => md5(`${at}`)),
      fc.nat(5).map((at) => `${md5(`${at}`)}-2`),
      fc.constantFrom('0'.repeat(32), 'e'),
    ),
    size: fc.constantFrom(0, 1, 7, 2 ** 32 + 1),
  });
  fc.assert(
    fc.property(fc.array(content, { maxLength: 200 }), (inputs) => {
      const firsts = new FirstOfContent();
      const seen = new Set<string>();
      for (const input of inputs) {
        const name = `${input.content} ${input.size}`;
        expect(firsts.isCopy(input)).toBe(seen.has(name));
        seen.add(name);
      }
    }),
  );
});

test('remembers a hundred thousand contents', () => {
  const firsts = new FirstOfContent();
  const inputs = Array.from({ length: 100_000 }, (_, at) => ({ content: md5(`${at}`), size: at }));
  expect(inputs.filter((input) => firsts.isCopy(input))).toEqual([]);
  expect(inputs.filter((input) => !firsts.isCopy(input))).toEqual([]);
});
