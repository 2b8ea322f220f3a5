import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rerun } from '../../../src/app/run/rerun.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { dropWorld } from '../../support/drop-world.ts';

const folder = 'incoming/cifar10/monday/';
const run = (generation: number) => `cifar10/monday/${String(generation).padStart(6, '0')}`;

describe('a manifest of the release before, whose covered files lay below runs/', () => {
  const line = (entry: { key: string; etag: string; lastModified: Date }) =>
    `${JSON.stringify({ key: entry.key, etag: entry.etag, lastModified: entry.lastModified.toISOString() })}\n`;

  /** Generation 1 as that release left it: a.png and c.png in one slice, x.png in another. */
  async function before() {
    const world = dropWorld();
    const files = ['a.png', 'c.png', 'x.png'].map((name) => world.store.put(folder + name, name));
    world.advance(600);
    const freeze = `runs/${run(1)}/freeze/`;
    world.store.put(`state/${run(1)}/freezing`, '{}');
    const slice = (name: string, some: typeof files) => {
      world.store.put(`${freeze}${name}.covered.jsonl.gz`, gzipSync(some.map(line).join('')));
      return { object: `${freeze}${name}.covered.jsonl.gz`, through: some.at(-1)!.key };
    };
    const frozen = {
      schema: 1,
      status: 'frozen',
      objects: 3,
      bytes: 15,
      largestObjectBytes: 5,
      emptyObjects: 0,
      sourceBucket: 'bucket',
      sourcePrefix: folder,
      frozenAt: world.clock().toISOString(),
      manifestSlices: [],
      coveredSlices: [slice('s1', files.slice(0, 2)), slice('s2', files.slice(2))],
    };
    world.store.put(`state/${run(1)}/frozen.json`, JSON.stringify(frozen));
    world.store.put(`state/${run(1)}/ended.json`, '{}');
    world.advance(40 * 24 * 3600);
    return world;
  }
  const frozenOf = (world: Awaited<ReturnType<typeof before>>, generation: number) =>
    JSON.parse(world.store.text(`state/${run(generation)}/frozen.json`)!);

  it('is read, and what comes after lies below state/', async () => {
    const world = await before();
    await world.accept(world.upload(`${folder}b.png`));
    await world.run(run(2));
    expect(world.keys(run(2))).toEqual([`${folder}b.png`]);
    for (const { object } of frozenOf(world, 2).coveredSlices) expect(object).toMatch(/^state\//);
    expect(frozenOf(world, 2)).not.toHaveProperty('coveredThrough');
    expect(world.store.keys('state/').filter((key) => key.includes('/covered/'))).toHaveLength(1);
    // What lies below runs/ is removed by its lifecycle rule.
    expect(world.store.keys(`runs/${run(1)}/freeze/`)).toHaveLength(2);
  });

  it.each([
    ['one of its slices has', ['s2']],
    ['all of its slices have', ['s1', 's2']],
  ])('takes for covered what is older than its listing where %s expired', async (_what, gone) => {
    const world = await before();
    for (const name of gone) world.store.remove(`runs/${run(1)}/freeze/${name}.covered.jsonl.gz`);
    world.store.put(`${folder}c.png`, 'another');
    await world.accept(world.upload(`${folder}b.png`), world.upload(`${folder}y.png`));
    await world.run(run(2));
    expect(world.keys(run(2))).toEqual(['b.png', 'c.png', 'y.png'].map((name) => folder + name));
    await world.accept(world.upload(`${folder}z.png`));
    world.advance(1000);
    await world.run(run(3));
    expect(world.keys(run(3))).toEqual([`${folder}z.png`]);
    // The first version of c.png is back, as after the removal of the one that hid it.
    world.store.put(`${folder}c.png`, 'c.png', new Date(Date.UTC(2026, 2, 1, 12)));
    await world.accept(world.upload(`${folder}zz.png`));
    world.advance(1000);
    await world.run(run(4));
    expect(world.keys(run(4))).toEqual([`${folder}zz.png`]);
  });

  it('counts up to the newest of the listings whose slices have expired', async () => {
    const world = await before();
    world.store.put(`state/${run(2)}/freezing`, '{}');
    const expired = (generation: number) => `runs/${run(generation)}/freeze/gone.covered.jsonl.gz`;
    const coveredSlices = [2, 1].map((generation) => ({ object: expired(generation), through: 'z' }));
    const second = { ...frozenOf(world, 1), coveredSlices, coveredThrough: '2026-02-01T12:00:00.000Z' };
    world.store.put(`state/${run(2)}/frozen.json`, JSON.stringify(second));
    world.store.put(`state/${run(2)}/ended.json`, '{}');
    const { lastModified } = world.store.info(`state/${run(2)}/freezing`)!;
    world.advance(1000);
    await world.accept(world.upload(`${folder}new.png`));
    await world.run(run(3));
    expect(world.keys(run(3))).toEqual([`${folder}new.png`]);
    expect(frozenOf(world, 3).coveredThrough).toBe(lastModified.toISOString());
  });

  it('cannot be gone on from where slices have expired, and with them the time of their listing', async () => {
    const world = await before();
    world.store.remove(`runs/${run(1)}/freeze/s2.covered.jsonl.gz`);
    world.store.remove(`state/${run(1)}/freezing`);
    await world.accept(world.upload(`${folder}b.png`));
    await expect(world.settle(run(2))).rejects.toMatchObject({
      name: 'SliceMissing',
      message: `slices of ${run(1)} have expired, and its marker that says when it listed is not there`,
    });
  });

  it('has expired only where S3 says that it is not there: another failure is met by a repetition', async () => {
    const world = await before();
    const { copy } = world.store;
    world.store.copy = () =>
      Promise.reject(Object.assign(new Error('reduce your rate'), { name: 'SlowDown' }));
    await world.accept(world.upload(`${folder}b.png`));
    await expect(world.settle(run(2))).rejects.toMatchObject({ name: 'SlowDown' });
    world.store.copy = copy;
    await world.run(run(2));
    expect(world.keys(run(2))).toEqual([`${folder}b.png`]);
    expect(frozenOf(world, 2)).not.toHaveProperty('coveredThrough');
  });

  it('is remembered by a generation that lists nothing of the drop', async () => {
    const world = await before();
    world.store.remove(`runs/${run(1)}/freeze/s2.covered.jsonl.gz`);
    // As old as what has expired, and taken all the same, since job.json states it.
    world.store.put('shared/images/1.png', '1', new Date(Date.UTC(2026, 2, 1, 12)));
    // Uploaded before the second generation freezes, and taken in by none that reads job.json.
    world.store.put(`${folder}own.png`, 'own');
    const job = { input: { s3Prefix: 's3://bucket/shared/images/' } };
    await world.accept(world.upload(`${folder}job.json`, JSON.stringify(job)));
    await world.run(run(2));
    expect(world.keys(run(2))).toEqual(['shared/images/1.png']);
    for (const { object } of frozenOf(world, 2).coveredSlices) expect(object).toMatch(/^state\//);
    world.store.remove(`${folder}job.json`);
    for (const key of world.store.keys('runs/')) world.store.remove(key);
    world.advance(1000);
    await world.accept(world.upload(`${folder}b.png`));
    await world.run(run(3));
    expect(world.keys(run(3))).toEqual([`${folder}b.png`, `${folder}own.png`]);
  });
});

describe('the covered files below state/', () => {
  const slices = (world: ReturnType<typeof dropWorld>) =>
    world.store.keys('state/').filter((key) => key.includes('/covered/'));

  it('are those of the newest generation alone, whatever abandoned ones and lost invocations left', async () => {
    const world = dropWorld({ sliceLines: 1, listingBudgetMs: 0 });
    await world.accept(world.upload(`${folder}a.png`), world.upload(`${folder}b.png`));
    await world.run(run(1));
    world.store.put(`state/${run(1)}/covered/lost.jsonl.gz`, '');
    world.advance(1000);
    await world.accept(world.upload(`${folder}c.png`));
    world.advance(60);
    expect(await world.settleOnce(run(2))).toMatchObject({ status: 'listing' });
    await world.die(run(2));
    world.advance(60);
    expect(await world.run(run(3))).toMatchObject({ objects: 1 });
    expect(slices(world)).toHaveLength(3);
    for (const key of slices(world)) expect(key).toContain(run(3));
  });

  it('stay where a generation takes them over, and go with the next listing', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    await world.run(run(1));
    world.store.put('shared/images/1.png', '1');
    const job = { input: { s3Prefix: 's3://bucket/shared/images/' } };
    const body = JSON.stringify(job);
    world.advance(1000);
    await world.accept(world.upload(`${folder}job.json`, body));
    await world.run(run(2));
    await world.accept(world.event(`${folder}job.json`));
    await world.run(run(3));
    expect(slices(world)).toHaveLength(1);
    world.store.remove(`${folder}job.json`);
    world.advance(1000);
    await world.accept(world.upload(`${folder}b.png`));
    await world.run(run(4));
    expect(world.keys(run(4))).toEqual([`${folder}b.png`]);
    expect(slices(world)).toHaveLength(1);
    expect(slices(world)[0]).toContain(run(4));
  });

  it('stay where an older generation, or a repetition of one, says once more how it ended', async () => {
    const world = dropWorld();
    for (const generation of [1, 2, 3]) {
      await world.accept(world.upload(`${folder}${generation}.png`));
      await world.run(run(generation));
      world.advance(1000);
    }
    const newest = slices(world);
    expect(newest).toHaveLength(1);
    await world.settleOnce(run(2));
    await rerun({ run: parseRunId(run(1))! }, world.services);
    await world.settleOnce(`${run(1)}r2`);
    expect(slices(world)).toEqual(newest);
    await world.accept(world.upload(`${folder}4.png`));
    expect(await world.run(run(4))).toMatchObject({ status: 'frozen', objects: 1 });
  });

  /** A second generation whose listing finds a slice of the first gone. */
  async function withoutSlice() {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    await world.run(run(1));
    world.advance(1000);
    await world.accept(world.upload(`${folder}b.png`));
    world.advance(60);
    return world;
  }

  it('that another invocation has replaced end a listing as that invocation froze it', async () => {
    const world = await withoutSlice();
    const { readStream } = world.store;
    let frozen: unknown;
    world.store.readStream = async (key, range) => {
      world.store.readStream = readStream;
      frozen = await world.settleOnce(run(2));
      return readStream(key, range);
    };
    expect(await world.settleOnce(run(2))).toEqual({
      status: 'frozen',
      objects: 1,
      bytes: expect.any(Number),
    });
    expect(frozen).toMatchObject({ status: 'frozen', objects: 1 });
    expect(world.keys(run(2))).toEqual([`${folder}b.png`]);
  });

  it('that are lost fail the listing: without them, files would run twice', async () => {
    const world = await withoutSlice();
    for (const key of slices(world)) world.store.remove(key);
    await expect(world.settleOnce(run(2))).rejects.toMatchObject({ name: 'SliceMissing' });
    expect(world.store.text(`state/${run(2)}/frozen.json`)).toBeUndefined();
  });
});
