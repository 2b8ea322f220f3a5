import { beforeEach, expect, test } from 'vitest';
import { reserveDropOfDay } from '../../../src/app/drop/drop-of-day.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { dropWorld } from '../../support/drop-world.ts';

let world = dropWorld();
const DAY_SECONDS = 86_400;
const config = (limits: object) =>
  world.store.put('pipelines/shapes/pipeline.json', JSON.stringify({ limits }));
const upload = (drop: string) => world.accept(world.upload(`incoming/shapes/${drop}/a.png`));
const ledger = () =>
  JSON.parse(world.store.text(bucketLayout.ledger('shapes'))!) as { drops: number; refusedDrops: number };

beforeEach(() => {
  world = dropWorld();
});

test('the first drop beyond the bound of a day is refused in words, all further ones without', async () => {
  config({ maxDropsPerDay: 2 });
  for (const drop of ['a', 'b', 'c', 'd', 'e']) await upload(drop);
  for (const drop of ['a', 'b'])
    expect(await world.settle(`shapes/${drop}/000001`)).toMatchObject({ status: 'frozen', objects: 1 });
  // A repeated step has the same words: its first answer may have been lost.
  for (let call = 0; call < 2; call++)
    await expect(world.settle('shapes/c/000001')).rejects.toMatchObject({
      name: 'PlanRefused',
      problems: [
        {
          field: 'limits.maxDropsPerDay',
          value: '2',
          message: expect.stringContaining(
            'allows 2 drops a day, and shapes/c is the first one of 2026-03-01 (UTC) beyond them',
          ),
        },
      ],
    });
  for (const drop of ['d', 'e'])
    expect(await world.settle(`shapes/${drop}/000001`)).toEqual({ status: 'abandoned' });
  expect(ledger()).toMatchObject({ drops: 2, refusedDrops: 3 });
});

test('a refused drop leaves two objects, and only an upload opens it again', async () => {
  config({ maxDropsPerDay: 1 });
  for (const drop of ['a', 'b', 'c']) await upload(drop);
  for (const drop of ['a', 'b', 'c']) await world.settle(`shapes/${drop}/000001`).catch(() => undefined);
  expect(world.store.keys('state/shapes/c/')).toEqual([
    'state/shapes/c/000001/frozen.json',
    'state/shapes/c/pulse',
  ]);
  expect(world.store.keys('runs/shapes/c/')).toEqual([]);
  expect(await world.die('shapes/b/000001')).toMatchObject({ abandoned: true });
  expect(world.runs()).toEqual(['a', 'b', 'c'].map((drop) => `shapes/${drop}/000001`));
});

test('on the next day an upload takes all files of a refused drop', async () => {
  config({ maxDropsPerDay: 1 });
  for (const drop of ['a', 'b', 'c']) await upload(drop);
  for (const drop of ['a', 'b', 'c']) await world.settle(`shapes/${drop}/000001`).catch(() => undefined);
  world.advance(DAY_SECONDS);
  await world.accept(world.upload('incoming/shapes/c/b.png'));
  expect(await world.settle('shapes/c/000002')).toMatchObject({ status: 'frozen', objects: 2 });
  expect(ledger()).toMatchObject({ drops: 1, refusedDrops: 0 });
});

test('an event that is delivered again after the freeze takes no place of the day, and is not refused when none is left', async () => {
  config({ maxDropsPerDay: 2 });
  const event = world.upload('incoming/shapes/a/a.png');
  await world.accept(event);
  await world.run('shapes/a/000001');
  for (const again of ['shapes/a/000002', 'shapes/a/000003']) {
    await world.accept(event);
    expect(await world.run(again)).toEqual({ status: 'empty', announce: false });
  }
  expect(ledger()).toMatchObject({ drops: 1, refusedDrops: 0 });
  await world.accept(world.upload('incoming/shapes/a/b.png'));
  expect(await world.run('shapes/a/000004')).toMatchObject({ status: 'frozen', objects: 1 });
  await world.accept(event);
  expect(await world.run('shapes/a/000005')).toEqual({ status: 'empty', announce: false });
  expect(ledger()).toMatchObject({ drops: 2, refusedDrops: 0 });
});

test('later files of a drop are refused beyond the bound, and taken with those of the next day', async () => {
  config({ maxDropsPerDay: 1 });
  await upload('a');
  await world.run('shapes/a/000001');
  await world.accept(world.upload('incoming/shapes/a/b.png'));
  await expect(world.settle('shapes/a/000002')).rejects.toMatchObject({ name: 'PlanRefused' });
  await world.die('shapes/a/000002');
  world.advance(DAY_SECONDS);
  await world.accept(world.upload('incoming/shapes/a/c.png'));
  expect(await world.settle('shapes/a/000003')).toMatchObject({ status: 'frozen', objects: 2 });
  expect(ledger()).toMatchObject({ drops: 1, refusedDrops: 0 });
});

test('a drop that is refused waits for nothing more, whatever comes on the same day', async () => {
  config({ maxDropsPerDay: 1 });
  for (const drop of ['a', 'b']) await upload(drop);
  await world.settle('shapes/a/000001');
  await world.settle('shapes/b/000001').catch(() => undefined);
  await upload('b');
  expect(await world.settle('shapes/b/000002')).toEqual({ status: 'abandoned' });
});

test.each<[object, number | null]>([
  [{}, 1_000],
  [{ maxDropsPerDay: 'many' }, 1_000],
  [{ maxDropsPerDay: null }, null],
])('limits %j allow %s drops', async (limits, max) => {
  config(limits);
  const run = parseRunId('shapes/a/000001')!;
  await reserveDropOfDay(run, world);
  const full = { ...ledger(), drops: 1_000 };
  world.store.put(bucketLayout.ledger('shapes'), JSON.stringify(full));
  expect(await reserveDropOfDay(run, world)).toEqual(
    max === null ? 'taken' : [expect.objectContaining({ value: '1000' })],
  );
});

test('drops that are settled at once are each counted', async () => {
  config({ maxDropsPerDay: 3 });
  const runs = Array.from({ length: 6 }, (_, at) => parseRunId(`shapes/drop${at}/000001`)!);
  const answers = await Promise.all(runs.map((run) => reserveDropOfDay(run, world)));
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(3);
  expect(answers.filter((answer) => Array.isArray(answer) && answer.length === 1)).toHaveLength(1);
  expect(ledger()).toMatchObject({ drops: 3, refusedDrops: 3 });
});
