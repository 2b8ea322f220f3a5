import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readAnswers, wholeAnswers } from '../../../src/tasks/none/read-answers.ts';
import { none } from '../../../src/tasks/none/task.ts';

const read = (text: string | Uint8Array, oneRecord = true) => [
  ...readAnswers(Buffer.from(text), oneRecord, 'predictions/a.out'),
];
const SHAPE = { scoreCount: 0, oneRecord: true };
const PLAN = {
  labels: { classes: [], classOffset: 0, scores: 'as-answered', threshold: null, single: 'class' },
  topK: 1,
  shape: SHAPE,
} as const;

test.each([
  ['a number', '41.20\n', '41.20'],
  ['a number beyond doubles', '12345678901234567890', '12345678901234567890'],
  ['an embedding, indented', '{\n  "predictions": [[0.1,\n 0.2]]\n}', '{"predictions":[[0.1,0.2]]}'],
  ['boxes', '[{"box": [1, 2, 3, 4], "of": "a b"}]', '[{"box":[1,2,3,4],"of":"a b"}]'],
  ['numbers that JSON does not know', '[NaN, -Infinity, 1]', '["NaN","-Infinity",1]'],
  ['a row of CSV', '0.5,1e-3,2\n', '[0.5,0.001,2]'],
  ['a text', 'A cat\non a mat. ', '"A cat\\non a mat."'],
  ['several numbers of one record', '1\n2', '"1\\n2"'],
  ['null', 'null', 'null'],
  ['a field called error next to others', '{"error": "none", "a": 1}', '{"error":"none","a":1}'],
])('%s is one answer for one record', (_, text, answer) => {
  expect(read(text)).toEqual([answer]);
  expect(() => JSON.parse(answer)).not.toThrow();
});

test('an answer of more than 64 kB, and one of bytes, is known by its digest', () => {
  const long = `[${'1,'.repeat(40_000)}1]`;
  const sha256 = createHash('sha256').update(long).digest('hex');
  expect(read(long)).toEqual([JSON.stringify({ output: 'predictions/a.out', bytes: long.length, sha256 })]);
  expect(wholeAnswers(Buffer.from(long), true)).toEqual([long]);
  expect(JSON.parse(read(Uint8Array.of(0x93, 0x4e, 0xff))[0] ?? '')).toMatchObject({ bytes: 3 });
});

test('an answer that is empty, or is an error of TensorFlow Serving, is none', () => {
  expect(() => read('')).toThrow('the output is empty');
  expect(() => read('{"error": "out of memory"}')).toThrow('out of memory');
});

test.each([
  ['rows of TensorFlow Serving', '{"predictions": [1.5, 2.5, 3]}', ['1.5', '2.5', '3']],
  ['a list of lists', '[[1, 2], [3, 4]]', ['[1,2]', '[3,4]']],
  ['lines', '{"a": 1}\n{"a": 2}\n', ['{"a":1}', '{"a":2}']],
  ['rows of CSV', '1,2\n3,4\n', ['[1,2]', '[3,4]']],
  ['lines of text', 'yes, a cat\n\nno cat\n', ['"yes, a cat"', '"no cat"']],
])('%s are the answers for a file of many records', (_, text, answers) => {
  expect(read(text, false)).toEqual(answers);
});

test('a bare list of numbers is not guessed at', () => {
  expect(() => read('[1, 2, 3]', false)).toThrow(
    'a bare list of 3 values: one answer, or one for each record?',
  );
  expect(wholeAnswers(Buffer.from('[1, 2, 3]'), false)).toEqual(['[1,2,3]']);
});

test('an endpoint agrees if its numbers are near, and all else is the same', () => {
  const compared = (batch: string, live: string) =>
    none.disagreement(Buffer.from(batch), Buffer.from(live), PLAN);
  expect(compared('{"v": [1, 2]}', '{"v":[1.0000001,2]}')).toBeUndefined();
  expect(compared('{"v": [1, 2]}', '{"v": [1, 3]}')).toBe("numbers that differ from batch's by up to 0.333");
  expect(compared('"a cat"', '"a dog"')).toBe('"a dog", batch gave "a cat"');
  expect(compared('[1]', '[1, 2]')).toBe('[1,2], batch gave [1]');
});

test('the API answers what the model answered', () => {
  expect(none.responses(Buffer.from('{"boxes": []}'), PLAN, 'a.png')).toEqual([
    { input: 'a.png', answer: { boxes: [] } },
  ]);
});
