import { afterAll, beforeAll, expect, it } from 'vitest';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { type Laptop, startLaptop } from '../support/laptop.ts';

let laptop: Laptop;
beforeAll(async () => {
  laptop = await startLaptop();
}, 120_000);
afterAll(() => laptop.close());

it('turns dropped images into predictions, a report and one message', async () => {
  await laptop.givePipeline('clothes');
  await laptop.upload('clothes', 'monday', await laptop.images(20));

  const { report, success } = await laptop.await('clothes/monday/000001');

  expect(success).toBe(true);
  expect(report).toMatchObject({ run: 'clothes/monday/000001', status: 'completed', total: 20, errors: 0 });
  expect(report.accuracy).toBe(report.correct! / 20);
  expect(report.correct).toBeGreaterThanOrEqual(15);
  const message = await laptop.application.store.readText(
    bucketLayout.message({ pipeline: 'clothes', drop: 'monday', generation: '000001' }),
  );
  expect(JSON.parse(message!)).toMatchObject({ attributes: { pipeline: 'clothes', status: 'completed' } });
}, 90_000);
