import { expect, test } from 'vitest';
import { openOutputs } from '../../../src/app/outputs/open-outputs.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import type { ChunkPlace } from '../../../src/transform/manifest-chunk.ts';
import { PARTS } from '../../support/drop-fixture.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

const OUT = bucketLayout.predictions(PARTS);

/** A bucket with these outputs, of two bytes each, listed two at a time. */
function bucketWith(...names: readonly string[]) {
  const store = memoryObjectStore({ pageSize: 2 });
  for (const name of names) store.put(`${OUT}${name}.out`, 'xy');
  return {
    store,
    outputs: openOutputs(store, PARTS, {
      input: { prefix: 'in/' },
      outputs: 'objects',
      predictions: null,
      continues: null,
    }),
  };
}

async function* inputsOf(...names: readonly string[]) {
  for (const name of names) yield { name: `in/${name}` };
}

async function findAll(
  outputs: ReturnType<typeof openOutputs>,
  names: readonly string[],
  size: number,
  from?: ChunkPlace,
) {
  const found = [];
  for await (const group of outputs.groups(inputsOf(...names), size, from)) {
    const { answers, unexplained } = await group.find();
    found.push({ names: group.entries.map(({ name }) => name), answers, unexplained, next: group.next });
  }
  return found;
}

test('each group finds the answers for its inputs alone, and one that lies in the stretch of a later group', async () => {
  // S3 lists a-1.out before a.out, and a.out after the first group has ended.
  const { outputs } = bucketWith('a-1', 'a', 'b', 'c');
  const all = await findAll(outputs, ['a', 'a-1', 'b', 'c'], 2);
  expect(
    all.map(({ names, answers, unexplained }) => [names, Object.fromEntries(answers), unexplained]),
  ).toEqual([
    [
      ['in/a', 'in/a-1'],
      {
        'in/a': { key: `${OUT}a.out`, bytes: 2 },
        'in/a-1': { key: `${OUT}a-1.out`, bytes: 2 },
      },
      undefined,
    ],
    [
      ['in/b', 'in/c'],
      { 'in/b': { key: `${OUT}b.out`, bytes: 2 }, 'in/c': { key: `${OUT}c.out`, bytes: 2 } },
      undefined,
    ],
  ]);
  // Another invocation goes on where the first group has ended.
  const [rest] = await findAll(outputs, ['b', 'c'], 2, all[0]!.next);
  expect(rest).toMatchObject({ names: ['in/b', 'in/c'], unexplained: undefined, next: undefined });
});

test('an output of no input is named', async () => {
  const { outputs } = bucketWith('a', 'b', 'stranger');
  const found = await findAll(outputs, ['a', 'b'], 10);
  expect(found.map(({ unexplained }) => unexplained)).toEqual([`${OUT}stranger.out`]);
});

test('an answer is looked up by the name of its input, and read by its place', async () => {
  const { outputs } = bucketWith('a', 'c');
  const found = await Array.fromAsync(outputs.lookUp(['in/a', 'in/b', 'in/c']));
  expect(found).toEqual([
    ['in/a', { key: `${OUT}a.out`, bytes: 2 }],
    ['in/b', undefined],
    ['in/c', { key: `${OUT}c.out`, bytes: 2 }],
  ]);
  expect(Buffer.from((await outputs.read(`${OUT}a.out`))!).toString()).toBe('xy');
  expect(await outputs.read(`${OUT}b.out`)).toBeUndefined();
  expect(await outputs.read(undefined)).toBeUndefined();
});

test('a name is too long where that of its output would have more than 1,024 bytes', () => {
  const { outputs } = bucketWith();
  const most = 1_024 - OUT.length - '.out'.length;
  expect(outputs.isTooLong(`in/${'é'.repeat(most / 2)}`)).toBe(false);
  expect(outputs.isTooLong(`in/${'é'.repeat(most / 2 + 1)}`)).toBe(true);
});
