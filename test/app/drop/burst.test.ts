import { expect, test } from 'vitest';
import { dropWorld } from '../../support/drop-world.ts';
import { shuffled } from '../../support/shuffled.ts';

const RUN = 'cifar10/monday/000001';
const folder = 'incoming/cifar10/monday/';

test('one run is started for a burst of 5,000 files', async () => {
  const world = dropWorld();
  const events = Array.from({ length: 5000 }, (_, at) => world.upload(`${folder}${at}.png`, ''));
  const mixed = shuffled(events, 3);
  for (let at = 0; at < mixed.length; at += 1000) await world.accept(...mixed.slice(at, at + 1000));
  expect(world.runs()).toEqual([RUN]);
  expect(await world.settle(RUN)).toMatchObject({ objects: 5000 });
});

test('100,000 events of one drop cost at most 3 requests to S3 and 1 start a batch', async () => {
  const world = dropWorld();
  for (let batch = 0; batch < 100; batch++) {
    const bodies = Array.from({ length: 1000 }, (_, at) => world.event(`${folder}${batch}-${at}.png`));
    const [requests, starts] = [world.store.requests.length, world.executions.starts.length];
    expect(await world.accept(...bodies)).toEqual({ batchItemFailures: [] });
    expect(world.store.requests.length - requests).toBeLessThanOrEqual(3);
    expect(world.executions.starts.length - starts).toBeLessThanOrEqual(1);
  }
  expect(world.runs()).toEqual([RUN]);
});
