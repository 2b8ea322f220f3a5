import { expect, test } from 'vitest';
import { lambdaLogs } from '../../../src/app/engine/lambda/lambda-logs.ts';
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
