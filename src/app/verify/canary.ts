import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { Measurement } from '../../run/measurement.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { day } from '../../text/dates.ts';
import { reportFigures } from '../records/run-index.ts';
import { useCase } from '../use-case.ts';
import { dropTestFiles } from './probe/drop.ts';
import { CANARY_PIPELINE } from './probe/name.ts';

/** State of the day's run; `waiting` until it has been under way for too long. */
const Output = z.object({
  run: z.string(),
  outcome: z.enum(['dropped', 'waiting', 'passed', 'failed']),
});

interface CanaryServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
}

const FILES = 4;
/** A run of one small job takes five to ten minutes; a queue for instances adds to it. */
const MAX_MS = 50 * 60_000;
const SETTINGS = {
  gate: { minAccuracy: 1, maxErrorRate: 0 },
  limits: { maxCostUsd: 1, maxRuntimeMinutes: 60 },
};

/**
 * Once a day, drops files with known answers; at each later call, judges their run. The run is an ordinary one: upload, event,
 * queue, state machine, transform job, report, gate, message.
 */
export const canary = useCase({
  /** The constant input of the rule `CanaryRule` in infra/shared/canary.yml. */
  input: z.object({ check: z.literal('stack') }),
  output: Output,
})(async (_input, { store, clock }: CanaryServices) => {
  const now = clock();
  const run: RunParts = {
    kind: 'inference',
    pipeline: CANARY_PIPELINE,
    drop: day(now),
    generation: '000001',
  };
  const id = toRunId(run);
  const ready = await store.describe(bucketLayout.dropReady(run));
  if (ready === undefined) {
    await dropTestFiles(store, run, { files: FILES, settings: SETTINGS });
    return { run: id, outcome: 'dropped' };
  }
  const report = await reportFigures(run).read(store);
  if (report === undefined) {
    const isLate = now.getTime() - ready.lastModified.getTime() > MAX_MS;
    return { run: id, outcome: isLate ? 'failed' : 'waiting' };
  }
  const { status, total, gate } = report;
  const isWell = status === 'completed' && total === FILES && gate.verdict === 'passed';
  return { run: id, outcome: isWell ? 'passed' : 'failed' };
});

/** The metrics of a canary that has an end. */
export function measureCanary({ run, outcome }: z.infer<typeof Output>): Measurement | undefined {
  if (outcome === 'dropped' || outcome === 'waiting') return undefined;
  return {
    facts: { pipeline: CANARY_PIPELINE, run, outcome },
    groups: [{ by: [['pipeline']], values: { CanaryFailures: Number(outcome === 'failed') } }],
  };
}
