import { expect, test } from 'vitest';
import { laterRun } from '../../../src/cli/runs/later-run.ts';
import { dropWorld } from '../../support/drop-world.ts';

const RUN = 'clothes/monday/000001';
const NEXT = 'clothes/monday/000002';
const folder = 'incoming/clothes/monday/';

/** A run of two files, marked as complete, whose execution has ended. */
async function ended() {
  const world = dropWorld();
  await world.accept(world.upload(`${folder}a.png`), world.upload(`${folder}b.png`));
  await world.accept(world.upload(`${folder}_READY`));
  await world.run(RUN);
  return world;
}

test('a run without a next generation is followed by none', async () => {
  expect(await laterRun((await ended()).services, RUN)).toBeUndefined();
});

test('a repeated event starts a generation that takes no file, before and after it has settled', async () => {
  const world = await ended();
  await world.accept(world.event(`${folder}a.png`));
  expect(world.runs()).toEqual([RUN, NEXT]);
  expect(await laterRun(world.services, RUN)).toBeUndefined();
  expect(await world.run(NEXT)).toEqual({ status: 'empty', announce: false });
  expect(await laterRun(world.services, RUN)).toBeUndefined();
});

test('the event of _READY starts no generation, however late it is', async () => {
  const world = await ended();
  await world.accept(world.event(`${folder}_READY`));
  expect(world.runs()).toEqual([RUN]);
});

test('files that arrive after a run has begun are counted, before and after the next generation has them', async () => {
  const world = await ended();
  world.advance(1);
  await world.accept(world.upload(`${folder}a.png`, 'again'), world.upload(`${folder}c.png`));
  expect(await laterRun(world.services, RUN)).toEqual({ run: NEXT, files: 2 });
  await world.run(NEXT);
  expect(await laterRun(world.services, RUN)).toEqual({ run: NEXT, files: 2 });
});
