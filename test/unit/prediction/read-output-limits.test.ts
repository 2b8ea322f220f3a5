import { expect, test } from 'vitest';
import { readOutput } from '../../../src/prediction/read-output.ts';

test.each([
  ['lists', `${'['.repeat(1_000_000)}1${']'.repeat(1_000_000)}`],
  ['lists of a field', `{"predictions":${'['.repeat(1_000_000)}1${']'.repeat(1_000_000)}}`],
  ['lists behind a bracket in a text', `{"a":"]","label":${'['.repeat(1_000)}1${']'.repeat(1_000)}}`],
])('%s nested too deep cost their own output', (_, text) => {
  expect(() => readOutput(Buffer.from(text), { scoreCount: 3, oneRecord: true })).toThrow(
    expect.objectContaining({ name: 'OutputError', message: expect.stringContaining('levels deep') }),
  );
});

test.each(['x', String.raw`\n`, String.raw`\"`])('a text of millions of %j beside NaN is read', (unit) => {
  const text = `{"label":2,"score":NaN,"note":"${unit.repeat(10_000_000)}"}`;
  expect(readOutput(Buffer.from(text), { scoreCount: 3, oneRecord: true })).toMatchObject([{ label: 2 }]);
});
