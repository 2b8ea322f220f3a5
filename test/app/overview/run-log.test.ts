import { expect, test } from 'vitest';
import { runLog } from '../../../src/app/overview/run-log.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aRun } from '../../support/a-run.ts';
import { jobRecord } from '../../support/job-record.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { memoryTrainingLogs } from '../../support/memory-training-jobs.ts';
import { noLogs } from '../../support/no-engine.ts';

const RUN = 'cats/monday/000001';
const BEGAN = Date.parse('2026-03-01T12:00:00Z');
const at = (second: number): Date => new Date(BEGAN + second * 1000);

/** The log of a run whose one job has ended after this many seconds and has written a line every second; with the times that were read from. */
async function logOf(seconds: number) {
  const store = memoryObjectStore();
  const record = jobRecord({ run: RUN, status: 'Failed', endedAt: at(seconds).toISOString() });
  store.put(bucketLayout.job(aRun(RUN), 1), JSON.stringify(record));
  const asked: (Date | undefined)[] = [];
  const { lines, cut } = await runLog(aRun(RUN), {
    ...{ store, clock: () => at(1e6), trainingLogs: memoryTrainingLogs() },
    logs: {
      lambda: noLogs,
      sagemaker: {
        ...noLogs,
        async *all(_, since = at(0)) {
          asked.push(since);
          const first = (since.getTime() - BEGAN) / 1000;
          for (let second = first; second < seconds; second += 1)
            yield { at: at(second), source: 'container', instance: 'one', text: `line ${second}` };
        },
      },
    },
  });
  return { lines: lines.map(({ text }) => text), cut, asked };
}

test('a short log is shown whole', async () => {
  const { lines, cut } = await logOf(90);
  expect(lines).toHaveLength(90);
  expect(cut).toBe(false);
});

test('of a long log the newest lines are shown, and what is far from its end is not read', async () => {
  const { lines, cut, asked } = await logOf(86_400);
  expect(lines).toHaveLength(400);
  expect(lines.at(-1)).toBe('line 86399');
  expect(cut).toBe(true);
  expect(asked).toEqual([at(86_400 - 300), at(86_400 - 7_200)]);
});

test('of jobs beside each other the newest lines are shown in the order of their times, and of a long line its beginning', async () => {
  const store = memoryObjectStore();
  for (const attempt of [1, 2]) {
    const record = jobRecord({
      run: RUN,
      attempt,
      jobName: `job-${attempt}`,
      endedAt: at(100).toISOString(),
    });
    store.put(bucketLayout.job(aRun(RUN), attempt), JSON.stringify(record));
  }
  const { lines, cut } = await runLog(aRun(RUN), {
    ...{ store, clock: () => at(100), trainingLogs: memoryTrainingLogs() },
    logs: {
      lambda: noLogs,
      sagemaker: {
        ...noLogs,
        async *all({ jobName }) {
          const of = { source: 'container', instance: 'one' } as const;
          if (jobName === 'job-1') yield { at: at(99), ...of, text: `the reason ${'!'.repeat(1e6)}` };
          else for (let line = 0; line < 900; line += 1) yield { at: at(line / 10), ...of, text: 'noise' };
        },
      },
    },
  });
  expect(lines).toHaveLength(400);
  expect(lines.at(-1)?.text).toMatch(/^the reason !{3989}…$/);
  expect(cut).toBe(true);
});

test('a run without a job has no line', async () => {
  const store = memoryObjectStore();
  const services = {
    store,
    clock: () => at(0),
    trainingLogs: memoryTrainingLogs(),
    logs: { lambda: noLogs, sagemaker: noLogs },
  };
  expect(await runLog(aRun(RUN), services)).toEqual({ lines: [], cut: false });
});
