import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Laptop, startLaptop } from '../support/laptop.ts';

const DONE = 'steady/done/000001';
const CUT = 'steady/cut/000001';
const WAITING = 'patient/d/000001';

const transforming = new Set<string>();
let isRestarted = false;
let laptop: Laptop;

/** One restart with three runs: one has ended, one is with its model, one waits for more files. */
beforeAll(async () => {
  laptop = await startLaptop({
    object(key) {
      const drop = key.split('/').slice(1, 3).join('/');
      transforming.add(drop);
      return drop === 'steady/cut' && !isRestarted ? 'hang' : undefined;
    },
  });
  await laptop.givePipeline('steady');
  await laptop.givePipeline('patient');
  await laptop.upload('steady', 'done', await laptop.images(3));
  await laptop.outcome(DONE);
  await laptop.upload('steady', 'cut', await laptop.images(4));
  await laptop.until(() => transforming.has('steady/cut') || undefined);
  await laptop.upload('patient', 'd', await laptop.images(2), { isReady: false });
  const executions = laptop.application.executions('inference');
  await laptop.until(() => executions.describe(laptop.executionArn(WAITING)));
  isRestarted = true;
  await laptop.restart();
});
afterAll(() => laptop.close());

it('what has ended is still there, and its execution too', async () => {
  const { report, manifest } = await laptop.outcome(DONE);
  expect(report).toMatchObject({ status: 'completed', total: 3 });
  expect(manifest).toHaveLength(3);
  const execution = await laptop.application.executions('inference').describe(laptop.executionArn(DONE));
  expect(execution?.status).toBe('SUCCEEDED');
});

it('a run whose job the restart cut off goes on with another job', async () => {
  const { report, message, jobs } = await laptop.outcome(CUT);
  expect(report).toMatchObject({ status: 'completed', total: 4, records: 4 });
  expect(message.attributes.status).toBe('completed');
  const statuses = await Promise.all(
    jobs.map(
      async ({ jobName }) => (await laptop.application.sagemaker.describeTransformJob(jobName))?.status,
    ),
  );
  // The inputs of a job that failed are spread over more than one.
  expect([...new Set(statuses)]).toEqual(['Failed', 'Completed']);
});

it('a drop that was still waiting goes on, and loses nothing', async () => {
  await laptop.upload('patient', 'd', {});
  const { manifest, report } = await laptop.outcome(WAITING);
  expect(manifest).toEqual(Object.keys(await laptop.images(2)));
  expect(report).toMatchObject({ status: 'completed', total: 2 });
});
