import { describe, expect, test } from 'vitest';
import { openOutputs } from '../../../src/app/outputs/open-outputs.ts';
import { profileInputs } from '../../../src/app/plan/read/read-inputs.ts';
import { sampleTexts } from '../../../src/app/plan/read/slice-look.ts';
import { planJobs } from '../../../src/app/plan/write/plan-jobs.ts';
import { readToSend } from '../../../src/app/records/inputs.ts';
import type { ManifestEntry } from '../../../src/drop/manifest-entry.ts';
import type { Input } from '../../../src/input/input.ts';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { onEngine } from '../../../src/plan/engine/engine-config.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { SizeProfile } from '../../../src/transform/size-profile.ts';
import { NOW, PARTS, PIPELINE } from '../../support/drop-fixture.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

const PREFIX = 'incoming/shapes/monday/';
const MANIFEST = bucketLayout.manifest(PARTS);
const INPUTS = {
  run: PARTS,
  continues: null,
  isTooLong: openOutputs(memoryObjectStore(), PARTS, {
    input: { prefix: PREFIX },
    outputs: 'objects',
    predictions: null,
    continues: null,
  }).isTooLong,
  largestAllowedBytes: 100_000_000,
};
const entry = (key: string, size = 1): ManifestEntry => ({
  key: PREFIX + key,
  size,
  etag: 'e',
  lastModified: NOW.toISOString(),
});
const named = (at: number) => `${String(at).padStart(5, '0')}.png`;
const many = (count: number, size = 1) => Array.from({ length: count }, (_, at) => entry(named(at), size));

/** A bucket with a manifest of these entries. */
function listing(entries: readonly ManifestEntry[]) {
  const store = memoryObjectStore();
  store.put(MANIFEST, entries.map((each) => `${JSON.stringify(each)}\n`).join(''));
  return store;
}

describe('a manifest', () => {
  test('is looked at whole and in order, a thousand entries at a time; what is not sent counts for its reason', async () => {
    const entries = [
      entry('0', 0),
      ...many(2_499),
      entry('x.txt', 100_000_001),
      entry(`y${'y'.repeat(1_000)}`),
    ];
    const looked: Input[][] = [];
    const [profile] = await profileInputs(
      readToSend(listing(entries), INPUTS),
      [INPUTS],
      async (some) => void looked.push([...some]),
    );
    expect(looked.map((some) => some.length)).toEqual([1_000, 1_000, 502]);
    expect(looked.flat().map(({ name }) => name)).toEqual(entries.map(({ key }) => key));
    expect(profile!.excluded).toEqual({ unreadable: 0, empty: 1, 'too-large': 1, 'key-too-long': 1 });
    expect([profile!.sent.count, profile!.sent.bytes]).toEqual([2_499, 2_499]);
    const sampled = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048].map(
      (place) => PREFIX + named(place - 1),
    );
    expect(profile!.sample.map(({ name }) => name)).toEqual(sampled);
  });
});

describe('the jobs of a run', () => {
  const config = (settings: object) =>
    onEngine(PipelineConfig.parse({ ...PIPELINE, ...settings }), 'sagemaker');
  const frozen = { sourceBucket: 'bucket', sourcePrefix: PREFIX };
  async function plan(entries: readonly ManifestEntry[], settings: object, now = entries) {
    const store = listing(entries);
    const [profile] = await profileInputs(readToSend(store, INPUTS), [INPUTS], async () => undefined);
    store.put(MANIFEST, listing(now).text(MANIFEST));
    const found = await planJobs(store, PARTS, {
      config: config(settings),
      speeds: [],
      frozen,
      unpacked: null,
      bundle: null,
      firstBundle: 'none',
      inputs: INPUTS,
      profile: profile!,
    });
    const keysOf = (input: string) => (JSON.parse(store.text(input)!) as [object, ...string[]]).slice(1);
    return { ...found, keys: found.planned.map(({ input }) => keysOf(input)) };
  }

  test('are as many as keep each below two hours, with each input in exactly one, the pilot from all over', async () => {
    const { planned, pilot, keys } = await plan(many(4_020, 95_000_000), {});
    expect(planned.map(({ part, objects, pilot, outliers }) => [part, objects, pilot, outliers])).toEqual([
      [1, 20, true, false],
      [2, 2_000, false, false],
      [3, 2_000, false, false],
    ]);
    expect(keys.flat().sort()).toEqual(many(4_020).map(({ key }) => key.slice(PREFIX.length)));
    for (const { quotedSeconds } of planned) expect(quotedSeconds).toBeLessThanOrEqual(7_200);
    expect(planned.map(({ bytes, largestObjectBytes }) => [bytes, largestObjectBytes])).toEqual([
      [20 * 95_000_000, 95_000_000],
      [2_000 * 95_000_000, 95_000_000],
      [2_000 * 95_000_000, 95_000_000],
    ]);
    expect(planned.map(({ firstKey, lastKey }) => [firstKey, lastKey])).toEqual(
      keys.map((some) => [PREFIX + some[0]!, PREFIX + some.at(-1)!]),
    );
    expect(pilot).toEqual(Array.from({ length: 20 }, (_, at) => PREFIX + named(at * 201)));
    expect(planned.map(({ sample }) => sample)).toEqual([[], [], []]);
  });

  test('of very many inputs have a sample, by which the progress is estimated', async () => {
    const { planned, pilot } = await plan(many(20_001), { limits: { pilot: 0 } });
    expect(planned).toMatchObject([{ part: 1, objects: 20_001, pilot: false }]);
    expect(planned[0]!.sample).toHaveLength(200);
    expect(pilot).toEqual([]);
  });

  test.each([
    ['has another payload by itself', 40_000_000, 'None', 1],
    ['needs none', 1_000_001, 'None', 0],
    ['is cut into records', 40_000_000, 'RecordIO', 0],
  ])(
    'an input that is far larger than the others, and %s, is in a job of its own or not',
    async (_, size, splitType, apart) => {
      const transform = { splitType, maxConcurrentTransforms: 2 };
      const auto = { splitType };
      const { planned, outlierBytes, notes } = await plan([...many(200, 900_000), entry('x.png', size)], {
        transform: auto,
      });
      expect(planned.filter(({ outliers }) => outliers)).toHaveLength(apart);
      expect(outlierBytes === null).toBe(apart === 0);
      expect(notes.some((note) => note.startsWith('1 objects above 36'))).toBe(apart === 1);
      // Two requests at once are possible with either payload.
      expect(
        (await plan([...many(200, 900_000), entry('x.png', size)], { transform })).outlierBytes,
      ).toBeNull();
    },
  );

  test.each([
    [
      'have a pilot where some of the usual inputs are so large that few are sent at once',
      many(6_000).map((each, at) => (at % 50 === 0 ? { ...each, size: 60_000_000 } : each)),
      [20, 5_980],
    ],
    [
      'have none where only an input in a job of its own is so large',
      [...many(12_000), entry('x.png', 40_000_000)],
      [12_000, 1],
    ],
  ])('%s', async (_, entries, objects) => {
    expect((await plan(entries, {})).planned.map((job) => job.objects)).toEqual(objects);
  });

  test('an input as large as the usual ones may be is a usual one', async () => {
    const sizes = new SizeProfile();
    const others = many(200, 900_000);
    for (const { size } of others) sizes.add(size);
    const bound = sizes.outlierBytes();
    const { planned, keys } = await plan([...others, entry('w.png', bound), entry('x.png', 40_000_000)], {});
    expect(planned.map(({ objects, outliers }) => [objects, outliers])).toEqual([
      [201, false],
      [1, true],
    ]);
    expect([keys[0]!.at(-1), keys[1]]).toEqual(['w.png', ['x.png']]);
  });

  test('a lowered setting is noted once for all jobs', async () => {
    const { notes } = await plan(many(30, 30_000_000), {
      limits: { pilot: 2 },
      transform: { maxConcurrentTransforms: 8 },
    });
    expect(notes.filter((note) => note.startsWith('transform.maxConcurrentTransforms lowered'))).toHaveLength(
      1,
    );
  });

  test('have none of the inputs that are not sent, wherever these stand', async () => {
    const { planned, keys } = await plan(
      [entry('00', 0), ...many(3), entry('x', 100_000_001), entry('y')],
      {},
    );
    expect(planned).toMatchObject([{ objects: 4 }]);
    expect(keys).toEqual([[named(0), named(1), named(2), 'y']]);
  });

  test.each([
    ['fewer', 1, 2],
    ['more', 1, 4],
  ])('are not planned from a manifest that has %s inputs than before', async (_, from, to) => {
    const changed = plan(many(3).slice(from), {}, many(to).slice(from));
    await expect(changed).rejects.toEqual(
      new RangeError('the inputs of shapes/monday/000001 changed while it was planned'),
    );
  });
});

test('of some inputs the texts are read; those that are gone, blank or very long are left out', async () => {
  const store = memoryObjectStore();
  for (const [key, text] of Object.entries({ a: ' 1,2\n', b: ' \n', c: 'x'.repeat(8_000_001) }))
    store.put(key, text);
  const inputs = ['a', 'b', 'c', 'gone'].map((name) => ({ name }));
  expect(await sampleTexts(store, inputs)).toEqual([{ key: 'a', text: '1,2' }]);
});
