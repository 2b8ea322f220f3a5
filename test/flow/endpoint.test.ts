import { afterAll, beforeAll, expect, it } from 'vitest';
import { readServed } from '../../src/app/endpoint-change.ts';
import { endpoints } from '../../src/aws/endpoints.ts';
import { runtime } from '../../src/aws/runtime.ts';
import type { Laptop } from '../support/laptop.ts';
import { startLaptop } from '../support/laptop.ts';

let laptop: Laptop;
beforeAll(async () => {
  laptop = await startLaptop();
}, 120_000);
afterAll(() => laptop.close());

const served = (pipeline: string) => readServed(laptop.application.store, pipeline);

it('a run whose gate passes becomes an endpoint that answers as batch transform did', async () => {
  await laptop.givePipeline('clothes', (config) => {
    config.gate = { minAccuracy: 0.5 };
    config.endpoint = { deploy: 'when-gate-passes' };
  });
  const images = await laptop.images(30);
  await laptop.upload('clothes', 'monday', images);
  const { success } = await laptop.await('clothes/monday/000001');
  expect(success).toBe(true);
  const found = await laptop.until(async () => {
    const now = await served('clothes');
    return now?.status === 'in-service' ? now : undefined;
  });
  const description = await endpoints().describe(found.endpointName);
  expect(description).toMatchObject({ status: 'InService', variants: [{ name: found.live, instances: 1 }] });
  const [body] = Object.values(images);
  const answer = await runtime().invoke(found.endpointName, {
    contentType: 'application/x-image',
    accept: 'application/json',
    body: body!,
  });
  expect(answer.variant).toBe(found.live);
  expect(JSON.parse(Buffer.from(answer.body).toString()).predictions[0].probabilities).toHaveLength(10);
}, 120_000);
