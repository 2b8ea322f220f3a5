import { expect, test } from 'vitest';
import { lambdaLogs } from '../../../src/app/engine/lambda/lambda-logs.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aRun } from '../../support/a-run.ts';
import { jobRecord } from '../../support/job-record.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

const RUN = 'cats/monday/000001';
const at = new Date('2026-03-01T12:00:01Z');
const line = (message: object): string =>
  JSON.stringify({ level: 'INFO', message: { run: RUN, ...message } });

test('lines of a run are those that name it; what its handler has printed is told in the handler’s own words', async () => {
  const texts = [
    line({ code: 'HANDLER_LINE', line: 'Traceback:' }),
    line({ code: 'INVOCATION_SUCCEEDED' }),
    line({ code: 'HANDLER_LINE', line: 'not ours', run: 'dogs/monday/000001' }),
  ];
  const logs = lambdaLogs({
    store: memoryObjectStore(),
    async *lines() {
      for (const text of texts) yield { at, stream: 's', text };
    },
  });
  const found = await Array.fromAsync(logs.all(jobRecord({ run: RUN })));
  expect(found.map(({ source, text }) => [source, text])).toEqual([
    ['handler', 'Traceback:'],
    ['function', texts[1]],
  ]);
});

test('the first job has what the script printed when the model was opened, before there was a job', async () => {
  const store = memoryObjectStore();
  store.put(bucketLayout.plan(aRun(RUN)), '{}');
  const planned = (await store.describe(bucketLayout.plan(aRun(RUN))))!.lastModified;
  const createdAt = new Date(planned.getTime() + 600_000).toISOString();
  const asked: Date[] = [];
  const logs = lambdaLogs({
    store,
    async *lines(since) {
      asked.push(since);
      yield* [];
    },
  });
  const later = new Date(Date.parse(createdAt) + 1);
  for (const [attempt, since] of [
    [1, undefined],
    [1, new Date(createdAt)],
    [1, later],
    [2, undefined],
  ] as const)
    await Array.fromAsync(logs.all(jobRecord({ run: RUN, attempt, createdAt, startedAt: createdAt }), since));
  expect(asked).toEqual([planned, planned, later, new Date(createdAt)]);
});
