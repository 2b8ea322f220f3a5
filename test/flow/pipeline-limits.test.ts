import { ListTransformJobsCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import { expect, it } from 'vitest';
import type { Laptop } from '../support/laptop.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';

let laptop: Laptop;
onSharedLaptop(async (shared) => {
  laptop = shared;
});

it('of three drops at once one runs after the other, where the pipeline allows one', async () => {
  await laptop.givePipeline('turns', (config) => {
    config.limits = { maxConcurrentRuns: 1 };
  });
  const drops = ['a', 'b', 'c'];
  const images = await laptop.images(2);
  await Promise.all(drops.map((drop) => laptop.upload('turns', drop, images)));
  for (const drop of drops) {
    const { report } = await laptop.await(`turns/${drop}/000001`);
    expect(report).toMatchObject({ status: 'completed', total: 2 });
  }
  const { TransformJobSummaries: jobs = [] } = await new SageMakerClient().send(
    new ListTransformJobsCommand({ NameContains: 'turns', SortBy: 'CreationTime', SortOrder: 'Ascending' }),
  );
  expect(jobs).toHaveLength(3);
  for (const [index, { CreationTime }] of jobs.slice(1).entries())
    expect(CreationTime!.getTime()).toBeGreaterThanOrEqual(jobs[index]!.TransformEndTime!.getTime());
});

it('a run beyond what the day may cost is refused before any job, with what the runs before it cost', async () => {
  await laptop.givePipeline('turns', (config) => {
    config.limits = { maxCostUsdPerDay: 0.0001 };
  });
  await laptop.upload('turns', 'dear', await laptop.images(1));
  const { report, jobs } = await laptop.outcome('turns/dear/000001');
  expect(report.status).toBe('refused');
  expect(report.problems).toMatchObject([{ field: 'limits.maxCostUsdPerDay', value: '0.0001' }]);
  expect(report.failure?.cause).toMatch(
    /allows \$0\.00010 a day, and this run is quoted at \$[\d.]+: on \d{4}-\d\d-\d\d \(UTC\) ended runs: 3, cost \$[\d.]+ \(.*turns\/a\/000001 \$[\d.]+/,
  );
  expect(jobs).toEqual([]);
});
