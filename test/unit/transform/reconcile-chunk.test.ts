import { expect, test } from 'vitest';
import type { Input } from '../../../src/input/input.ts';
import { type ChunkListing, reconcileChunk } from '../../../src/transform/reconcile-chunk.ts';

const TIME = '2026-01-01T00:00:00.000Z';
const entry = (name: string, size = 5): Input => ({
  name: `in/${name}`,
  size,
  content: 'e',
  lastModified: TIME,
});
const context = {
  isTooLong: (name: string) => name.endsWith('long'),
  largestAllowedBytes: 100,
  partOf: ({ name }: Input) => (name === 'in/later' ? 2 : 1),
  lastPart: 1,
};
const current = (etag = 'e') => ({ etag, lastModified: new Date('2026-01-02T00:00:00.000Z') });

function reconcile(entries: readonly Input[], listing: Partial<ChunkListing>) {
  const objects = new Map(entries.map(({ name }) => [name, current()]));
  return reconcileChunk(entries, { answers: new Map(), failures: new Map(), objects, ...listing }, context);
}

const answer = (name: string) => ({ key: `out/${name}.out`, bytes: 7 });

test('an input has its output, also where the same bytes were uploaded again', () => {
  const answers = new Map([['in/a', answer('a')]]);
  expect(reconcile([entry('a')], { answers })).toEqual([
    { entry: entry('a'), isWritten: true, output: answer('a') },
  ]);
});

test('without an output the model failed, or the job of the input has not been sent', () => {
  expect(reconcile([entry('a'), entry('later')], {})).toEqual([
    { entry: entry('a'), isWritten: false, error: 'model-error' },
    { entry: entry('later'), isWritten: false, error: 'not-attempted' },
  ]);
});

test.each([
  [0, 'empty', 'the object has 0 bytes'],
  [101, 'too-large', '101 bytes; at most 100 go into one request'],
])('an input of %d bytes is never sent: %s', (size, error, detail) => {
  expect(reconcile([entry('a', size)], {})).toEqual([
    { entry: entry('a', size), isWritten: false, error, detail },
  ]);
});

test('nor is one whose output would have a longer key than S3 takes', () => {
  const long = entry('long');
  expect(reconcile([long], {})).toEqual([
    {
      entry: long,
      isWritten: false,
      error: 'key-too-long',
      detail: 'the key of its output would have more than 1024 bytes: shorten the key',
    },
  ]);
});

test('an input that changed meanwhile counts in no figure, though its output is there', () => {
  const answers = new Map(['a', 'b'].map((name) => [`in/${name}`, answer(name)]));
  const objects = new Map([['in/a', current('other')]]);
  expect(reconcile([entry('a'), entry('b')], { answers, objects })).toEqual([
    {
      entry: entry('a'),
      isWritten: true,
      error: 'superseded',
      detail: 'the object was overwritten after the manifest was frozen; the next generation has it',
    },
    {
      entry: entry('b'),
      isWritten: true,
      error: 'deleted',
      detail: 'the object was deleted after the manifest was frozen',
    },
  ]);
});
