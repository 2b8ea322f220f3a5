import { expect, test } from 'vitest';
import { startRun } from '../../../src/app/run/start-run.ts';
import { stopJudgingRuns } from '../../../src/app/run/stop-left-jobs.ts';
import { toAbandoned } from '../../../src/drop/frozen.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { toExecutionName } from '../../../src/run/execution-name.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { NOW } from '../../support/drop-fixture.ts';
import { evaluationText } from '../../support/evaluation-text.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { JUDGED, TRAINING, TRAINING_PARTS } from '../../support/training-fixture.ts';

const JUDGING = `${JUDGED}r2`;
const PARTS = parseRunId(JUDGING)!;

/** A training that has come so far with the run that judges its model. */
async function judging(phase: 'claimed' | 'frozen' | 'running' | 'ended') {
  const store = memoryObjectStore();
  const executions = memoryExecutions();
  const candidateRun = { run: JUDGING, at: NOW.toISOString(), isOwn: true };
  store.put(bucketLayout.evaluation(TRAINING_PARTS), evaluationText({ candidateRun }));
  if (phase !== 'claimed') {
    const manifest = toAbandoned('died', { bucket: 'bucket', prefix: 'incoming/shapes/monday/' }, NOW);
    const candidate = { sha256: 'c'.repeat(64), training: TRAINING, baseline: null, maxCostUsd: null };
    store.put(bucketLayout.frozen(PARTS), JSON.stringify({ ...manifest, status: 'frozen', candidate }));
  }
  if (phase === 'running' || phase === 'ended') await startRun(() => executions, PARTS);
  if (phase === 'ended') executions.end(toExecutionName(PARTS), 'SUCCEEDED');
  const stop = (isOver = true) =>
    stopJudgingRuns(TRAINING_PARTS, { store, executions: () => executions }, async () => isOver);
  return { executions, stop };
}

test('the run that judges the model of a training that is over is canceled', async () => {
  const { executions, stop } = await judging('running');
  expect(await stop()).toEqual([JUDGING]);
  expect(executions.all).toMatchObject([{ status: 'ABORTED', error: 'Canceled' }]);
});

test('the run that judges the model of a training that goes on is left alone', async () => {
  const { executions, stop } = await judging('running');
  expect(await stop(false)).toEqual([]);
  expect(executions.all).toMatchObject([{ status: 'RUNNING' }]);
});

test.each(['claimed', 'frozen', 'ended'] as const)(
  'there is nothing to stop where the training has died with its judging run %s',
  async (phase) => {
    const { stop } = await judging(phase);
    expect(await stop()).toEqual([]);
  },
);
