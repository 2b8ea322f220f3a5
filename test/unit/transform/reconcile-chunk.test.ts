import { expect, test } from 'vitest';
import type { ManifestEntry } from '../../../src/drop/manifest-entry.ts';
import { type ChunkListing, reconcileChunk } from '../../../src/transform/reconcile-chunk.ts';

const TIME = '2026-01-01T00:00:00.000Z';
const entry = (name: string, size = 5): ManifestEntry => ({
  key: `in/${name}`,
  size,
  etag: 'e',
  lastModified: TIME,
});
const context = {
  inputPrefix: 'in/',
  outputPrefix: 'out/',
  largestAllowedBytes: 100,
  partOf: ({ key }: ManifestEntry) => (key === 'in/later' ? 2 : 1),
  lastPart: 1,
};
const current = (etag = 'e') => ({ etag, lastModified: new Date('2026-01-02T00:00:00.000Z') });

function reconcile(
  entries: readonly ManifestEntry[],
  listing: Partial<ChunkListing>,
  foreign: readonly string[] = [],
) {
  const chunk = {
    entries,
    outputsAfter: undefined,
    outputsThrough: undefined,
    detached: [],
    foreign: new Set(foreign),
  };
  const inputs = new Map(entries.map(({ key }) => [key, current()]));
  return reconcileChunk(chunk, { outputs: new Map(), inputs, ...listing }, context);
}

test('an input has its output, also where the same bytes were uploaded again', () => {
  const { inputs, unexplained } = reconcile([entry('a')], { outputs: new Map([['out/a.out', 7]]) });
  expect(inputs).toEqual([{ entry: entry('a'), isWritten: true, output: { key: 'out/a.out', bytes: 7 } }]);
  expect(unexplained).toBeUndefined();
});

test('without an output the model failed, or the job of the input has not been sent', () => {
  expect(reconcile([entry('a'), entry('later')], {}).inputs).toEqual([
    { entry: entry('a'), isWritten: false, error: 'model-error' },
    { entry: entry('later'), isWritten: false, error: 'not-attempted' },
  ]);
});

test.each([
  [0, 'empty', 'the object has 0 bytes'],
  [101, 'too-large', '101 bytes; at most 100 go into one request'],
])('an input of %d bytes is never sent: %s', (size, error, detail) => {
  expect(reconcile([entry('a', size)], {}).inputs).toEqual([
    { entry: entry('a', size), isWritten: false, error, detail },
  ]);
});

test('nor is one whose output would have a longer key than S3 takes', () => {
  const long = entry('é'.repeat(509));
  expect(reconcile([long], {}).inputs).toEqual([
    {
      entry: long,
      isWritten: false,
      error: 'key-too-long',
      detail: 'the key of its output would have more than 1024 bytes: shorten the key',
    },
  ]);
  expect(reconcile([entry('é'.repeat(508))], {}).inputs).toMatchObject([{ error: 'model-error' }]);
});

test('an input that changed meanwhile counts in no figure, though its output is there', () => {
  const outputs = new Map(['a', 'b'].map((name) => [`out/${name}.out`, 7]));
  const inputs = new Map([['in/a', current('other')]]);
  expect(reconcile([entry('a'), entry('b')], { outputs, inputs }).inputs).toEqual([
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

test('an output that neither this chunk nor an earlier one explains is named', () => {
  const outputs = new Map(['a', 'foreign', 'b'].map((name) => [`out/${name}.out`, 7]));
  expect(reconcile([entry('a')], { outputs }, ['out/foreign.out']).unexplained).toBe('out/b.out');
  expect(reconcile([entry('a'), entry('b')], { outputs }, ['out/foreign.out']).unexplained).toBeUndefined();
});
