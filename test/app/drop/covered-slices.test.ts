import { describe, expect, it } from 'vitest';
import { rerun } from '../../../src/app/run/rerun.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { dropWorld } from '../../support/drop-world.ts';

const folder = 'incoming/cifar10/monday/';
const run = (generation: number) => `cifar10/monday/${String(generation).padStart(6, '0')}`;

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
