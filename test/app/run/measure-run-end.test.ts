import { expect, it } from 'vitest';
import { measureRunEnd } from '../../../src/app/run/measure-run-end.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

const RUN = 'clothes/monday/000001';
const detail = (run: string, error: string) => ({
  executionArn: 'arn:aws:states:us-east-1:000000000000:execution:inferdrop-dev-batch-inference:x',
  status: 'FAILED' as const,
  input: JSON.stringify({ schema: 1, run }),
  startDate: 0,
  error,
});
const MAP = 'States.ExceedToleratedFailureThreshold';

it.each([
  ['a shard that met a user’s mistake', 'ClassCountMismatch', MAP, { OperatorFailures: 0, UserFailures: 1 }],
  ['a shard that lost a file', 'RunFileMissing', MAP, { OperatorFailures: 1, UserFailures: 0 }],
  ['a shard that left no word', undefined, MAP, { OperatorFailures: 1, UserFailures: 0 }],
  [
    'a step after such a shard',
    'ClassCountMismatch',
    'AccessDenied',
    { OperatorFailures: 1, UserFailures: 0 },
  ],
])('%s counts as that of whom can mend it', async (_what, left, error, values) => {
  const store = memoryObjectStore();
  if (left !== undefined)
    store.put(`runs/${RUN}/fold/failure.json`, JSON.stringify({ schema: 1, error: left, cause: '' }));
  const measured = await measureRunEnd(store, detail(RUN, error));
  expect(measured).toMatchObject({ facts: { kind: 'run' }, groups: [{ values }] });
});

it('a training counts as one', async () => {
  const measured = await measureRunEnd(memoryObjectStore(), detail(`training/${RUN}`, 'TrainingFailed'));
  expect(measured?.facts).toMatchObject({ kind: 'training', error: 'TrainingFailed' });
});
