import { expect, test } from 'vitest';
import { DataLogReader } from '../../../src/transform/data-log.ts';

const read = (lines: readonly string[], most = 10) => {
  const reader = new DataLogReader(most);
  for (const line of lines) reader.add(`2020-10-14T04:08:19.163:[sagemaker logs]: ${line}`);
  return reader;
};

const whyOf = (reader: DataLogReader, object: string): string | undefined =>
  [...reader.failures()].find((failure) => failure.object === object)?.why;

test.each([
  [
    'an exception of a handler',
    ['b/in/a.png: Bad HTTP status received from algorithm: 500', 'b/in/a.png: ', 'b/in/a.png: Message:'],
    '{"error": "list index\\nout of range"}',
    'the container answered 500: list index out of range',
  ],
  [
    'a refusal in plain words',
    ['b/in/a.png: ClientError: 415', 'b/in/a.png:', 'b/in/a.png: Message:'],
    'Unsupported Media Type: Unknown',
    'the container answered 415: Unsupported Media Type: Unknown',
  ],
  ['an answer without words', ['b/in/a.png: ClientError: 413'], undefined, 'the container answered 413'],
  [
    'an answer of several lines',
    [
      'b/in/a.png: ClientError: 400',
      'b/in/a.png: Message:',
      'b/in/a.png: first ',
      'b/in/a.png:',
      'b/in/a.png: a  second',
    ],
    'and third ',
    'the container answered 400: first a second and third',
  ],
  ['text in place of a status', ['b/in/a.png: ClientError: 4130'], undefined, 'ClientError: 4130'],
  ['a status within words', ['b/in/a.png: ClientError: 413 of'], undefined, 'ClientError: 413 of'],
  [
    'no answer',
    ['b/in/a.png: Unable to get response from algorithm'],
    undefined,
    'Unable to get response from algorithm',
  ],
  [
    'a late answer',
    ['b/in/a.png: Model server did not respond to /invocations request within 5 seconds'],
    undefined,
    'Model server did not respond to /invocations request within 5 seconds, since no answer came within ' +
      'transform.invocationsTimeoutInSeconds',
  ],
])('%s', (_name, lines, body, why) => {
  const reader = read([
    'MaxConcurrentTransforms=1, MaxPayloadInMB=6, BatchStrategy=MULTI_RECORD',
    ...lines,
    ...(body === undefined ? [] : [`b/in/a.png: ${body}`]),
  ]);
  expect(whyOf(reader, 'b/in/a.png')).toBe(why);
  expect(whyOf(reader, 'b/in/b.png')).toBeUndefined();
});

test('lines of objects that failed together are separated, whatever their names hold', () => {
  const [one, two] = ['b/in/a: 1.png', 'b/in/a: 1.png: 2.png'];
  const reader = read([
    `${one}: ClientError: 400`,
    `${two}: ClientError: 400`,
    `${one}: Message:`,
    `${two}: Message:`,
    `${two}: second: ClientError: 400`,
    `${one}: first`,
  ]);
  expect(whyOf(reader, 'b/in/a: 1.png')).toBe('the container answered 400: first');
  expect(whyOf(reader, 'b/in/a: 1.png: 2.png')).toBe('the container answered 400: second: ClientError: 400');
});

test('a later job has the last word', () => {
  const reader = read([
    'b/a: ClientError: 400',
    'b/a: Message:',
    'b/a: first',
    'b/a: Bad HTTP status received from algorithm: 500',
    'b/a: Message:',
    'b/a: second',
  ]);
  expect(whyOf(reader, 'b/a')).toBe('the container answered 500: second');
});

test('memory is bounded: further objects are passed over, long answers are cut', () => {
  const reader = read(
    [
      'b/a: ClientError: 400',
      'b/a: Message:',
      ...Array.from({ length: 1000 }, () => `b/a: ${'x'.repeat(100)}`),
      'b/c: ClientError: 400',
    ],
    1,
  );
  expect([...reader.failures()].map(({ object }) => object)).toEqual(['b/a']);
  expect(whyOf(reader, 'b/a')).toHaveLength(501);
});

test('of a long answer the first twenty lines are kept, and 500 characters', () => {
  const answer = (lines: readonly string[]) =>
    whyOf(read(['b/a: ClientError: 400', 'b/a: Message:', ...lines.map((line) => `b/a: ${line}`)]), 'b/a');
  expect(answer(Array.from({ length: 25 }, (_, at) => `${at};`))).toMatch(/ 19;$/);
  const before = 'the container answered 400: '.length;
  expect(answer(['x'.repeat(500 - before)])).toHaveLength(500);
  expect(answer(['x'.repeat(501 - before)])).toMatch(/x…$/);
});

test('only failures of objects count towards the bound', () => {
  const reader = read(
    [
      'MaxConcurrentTransforms=1, MaxPayloadInMB=6, BatchStrategy=MULTI_RECORD',
      'b/a: ClientError: 400',
      'b/a: Message:',
      'b/a: raised: ClientError: 400',
    ],
    1,
  );
  expect([...reader.failures()]).toHaveLength(1);
  expect(whyOf(reader, 'b/a')).toBe('the container answered 400: raised: ClientError: 400');
});

test('what is no data log is passed over', () => {
  const reader = new DataLogReader(1);
  reader.add('b/a: ClientError: 400');
  expect(whyOf(reader, 'b/a')).toBeUndefined();
});
