import { describe, expect, it } from 'vitest';
import { existingGenerations } from '../../../src/app/run/repeat-manifest.ts';
import { rerun } from '../../../src/app/run/rerun.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { dropWorld } from '../../support/drop-world.ts';

const RUN = 'cifar10/monday/000001';
const PARTS = parseRunId(RUN)!;
const folder = 'incoming/cifar10/monday/';

describe('rerun', () => {
  it('runs the same manifest again, though the drop has changed', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`), world.upload(`${folder}b.png`));
    await world.run(RUN);
    world.store.remove(`${folder}a.png`);
    world.upload(`${folder}c.png`);
    expect(await rerun({ run: PARTS }, world.services)).toEqual({ run: `${RUN}r2`, outcome: 'started' });
    expect(world.runs()).toEqual([RUN, `${RUN}r2`]);
    expect(await world.settleOnce(`${RUN}r2`)).toMatchObject({ status: 'frozen', objects: 2 });
    expect(world.manifest(`${RUN}r2`)).toEqual(world.manifest(RUN));
    const frozen = (run: string) => JSON.parse(world.store.text(`state/${run}/frozen.json`)!);
    expect(frozen(`${RUN}r2`)).toEqual({
      ...frozen(RUN),
      coveredSlices: [],
      origin: { mode: 'rerun', of: RUN },
    });
  });

  it('numbers repetitions on, whichever of them is repeated', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    await world.run(RUN);
    expect((await rerun({ run: PARTS }, world.services)).run).toBe(`${RUN}r2`);
    expect((await rerun({ run: PARTS }, world.services)).run).toBe(`${RUN}r3`);
    expect((await rerun({ run: { ...PARTS, generation: '000001r2' } }, world.services)).run).toBe(`${RUN}r4`);
    expect(JSON.parse(world.store.text(`state/${RUN}r4/frozen.json`)!).origin.of).toBe(RUN);
    expect(await existingGenerations(world.store, PARTS)).toEqual([
      ...['000001', '000001r2', '000001r3', '000001r4'],
    ]);
  });

  it('gives two at once different numbers', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    await world.run(RUN);
    const both = await Promise.all([
      rerun({ run: PARTS }, world.services),
      rerun({ run: PARTS }, world.services),
    ]);
    expect(both.map(({ run }) => run).sort()).toEqual([`${RUN}r2`, `${RUN}r3`]);
  });

  it('does not count when the next generation is chosen', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    await world.run(RUN);
    await rerun({ run: PARTS }, world.services);
    world.advance(1000);
    await world.accept(world.upload(`${folder}b.png`));
    expect(world.runs().at(-1)).toBe('cifar10/monday/000002');
    await world.run('cifar10/monday/000002');
    expect(world.keys('cifar10/monday/000002')).toEqual([`${folder}b.png`]);
  });

  it('refuses a run that has no manifest', async () => {
    const world = dropWorld();
    await expect(rerun({ run: PARTS }, world.services)).rejects.toMatchObject({
      name: 'NothingToRerun',
      message: `run ${RUN} must have a manifest to be repeated, but it has not frozen: drop the files again`,
    });
  });

  it('refuses a run that took nothing in', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    await world.die(RUN);
    await expect(rerun({ run: PARTS }, world.services)).rejects.toMatchObject({
      name: 'NothingToRerun',
      message: `run ${RUN} must have a manifest to be repeated, but it is abandoned with no objects: drop the files again`,
    });
  });

  it('refuses a run whose files have expired, and its repetitions', async () => {
    const world = dropWorld({ sliceLines: 1 });
    await world.accept(world.upload(`${folder}a.png`), world.upload(`${folder}b.png`));
    await world.run(RUN);
    await rerun({ run: PARTS }, world.services);
    await world.run(`${RUN}r2`);
    world.store.remove(world.store.keys(`runs/${RUN}/freeze/`).find((key) => key.endsWith('.jsonl'))!);
    for (const run of [RUN, `${RUN}r2`]) {
      await expect(rerun({ run: parseRunId(run)! }, world.services)).rejects.toMatchObject({
        name: 'NothingToRerun',
        message:
          `run ${run} must have a manifest to be repeated, but its files have expired (stack parameter ` +
          'RunsRetentionDays): drop the files again',
      });
    }
  });
});
