import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { TrainingJobs } from '../../aws/sagemaker/training-jobs.ts';
import type { Executions } from '../../aws/states/executions.ts';
import { dropPrefix } from '../../drop/drop-key.ts';
import { type Frozen, staysShut, toAbandoned } from '../../drop/frozen.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { readExecutionInput } from '../../run/execution-name.ts';
import { formatGeneration, generationBefore, isRepetition, parseGeneration } from '../../run/generation.ts';
import { toReportName } from '../../run/report-name.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import type { JobStoppers } from '../engine/engine.ts';
import { freezeOnce, frozenJson } from '../records/drop.ts';
import { useCase } from '../use-case.ts';
import { type ExecutionsOf, startRun } from './start-run.ts';
import { stopLeftJobs } from './stop-left-jobs.ts';

const DeadStatus = z.enum(['FAILED', 'TIMED_OUT', 'ABORTED']);
/** Result of the clean-up. EventBridge invokes asynchronously, so Lambda discards it. */
const Output = z.object({
  run: z.string(),
  abandoned: z.boolean(),
  /** The generation that was opened because this one took nothing in. */
  opened: z.string().optional(),
  /** Jobs, and runs that judge the model of a training, that were asked to stop. */
  stopped: z.array(z.string()),
});
type Output = z.infer<typeof Output>;

/** Services of the clean-up, which the daily sweep also does. */
export interface CleanUpRunServices {
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<'arnOf' | 'describe' | 'start' | 'stop'>;
  /** Executions of the state machine `report-failure`. */
  readonly failureReports: Pick<Executions, 'start'>;
  readonly engines: JobStoppers;
  readonly training: Pick<TrainingJobs, 'describe' | 'stop'>;
  readonly clock: () => Date;
}

/** An ended execution without `ended.json`. */
export interface DeadExecution {
  readonly run: RunParts;
  readonly executionArn: string;
  readonly startedAt: Date;
  readonly error: string;
  readonly cause: string;
}

/**
 * Limit on the generations that die one after another: a persistent cause would otherwise open generations and send messages
 * without end.
 */
const MAX_ABANDONED_IN_A_ROW = 3;
/** Characters of an error's text that reach the report, as in batch-inference. */
const MAX_CAUSE_LENGTH = 8000;

/** Frees what an execution held that failed, timed out or was stopped: its drop, its job, its report and message. */
export const cleanUpRun = useCase({
  /** EventBridge's `Step Functions Execution Status Change`, of executions that did not succeed. */
  input: z.object({
    detail: z.object({
      executionArn: z.string(),
      status: DeadStatus,
      /** The execution's input, as JSON text. */
      input: z.string(),
      /** Milliseconds since the epoch. */
      startDate: z.number(),
      error: z.string().nullish(),
      cause: z.string().nullish(),
    }),
  }),
  output: Output,
})(async ({ detail }, services: CleanUpRunServices) => {
  const run = readExecutionInput(detail.input);
  const reason = REASONS[detail.status];
  return cleanUpAfter(
    {
      run,
      executionArn: detail.executionArn,
      startedAt: new Date(detail.startDate),
      error: detail.error ?? reason.error,
      cause: detail.cause ?? reason.cause,
    },
    services,
  );
});

const REASONS: Readonly<Record<z.infer<typeof DeadStatus>, { error: string; cause: string }>> = {
  FAILED: { error: 'States.Runtime', cause: 'The execution failed and gave no reason.' },
  TIMED_OUT: { error: 'States.Timeout', cause: 'The execution took longer than its state machine allows.' },
  ABORTED: { error: 'Aborted', cause: 'The execution was stopped.' },
};

/** Frees what a dead execution held. Every step may be repeated: it first checks what is already done. */
export async function cleanUpAfter(dead: DeadExecution, services: CleanUpRunServices): Promise<Output> {
  const { run } = dead;
  const frozen = await abandonUnlessFrozen(dead, services);
  const opened = frozen.status === 'abandoned' ? await openNext(run, frozen, services) : undefined;
  const stopped = await stopLeftJobs(run, services);
  await tell(dead, services);
  return {
    run: toRunId(run),
    abandoned: frozen.status === 'abandoned',
    ...(opened !== undefined && { opened }),
    stopped,
  };
}

function abandonUnlessFrozen(
  { run, error }: DeadExecution,
  { store, clock }: CleanUpRunServices,
): Promise<Frozen> {
  const source = { bucket: store.bucket, prefix: dropPrefix(run) };
  // `cancel` has written it already, unless the execution was stopped by hand.
  const reason = error === 'Canceled' ? 'canceled' : 'died';
  return freezeOnce(store, run, toAbandoned(reason, source, clock()));
}

/** Opens the generation that takes in this one's files, unless they wait for a person. */
async function openNext(
  run: RunParts,
  frozen: Frozen,
  { store, executions }: CleanUpRunServices,
): Promise<string | undefined> {
  if (staysShut(frozen) || isRepetition(run.generation)) return undefined;
  if ((await countAbandoned(store, run)) >= MAX_ABANDONED_IN_A_ROW) return undefined;
  const next = { ...run, generation: formatGeneration((parseGeneration(run.generation)?.number ?? 0) + 1) };
  return (await startRun(executions, next)) === 'started' ? toRunId(next) : undefined;
}

/** Generations that died one after another, this one included. */
async function countAbandoned(store: ObjectStore, run: RunParts): Promise<number> {
  let count = 1;
  for (let at = generationBefore(run.generation); at !== undefined; at = generationBefore(at)) {
    const frozen = await frozenJson({ ...run, generation: at }).read(store);
    if (frozen?.status !== 'abandoned' || staysShut(frozen) || count >= MAX_ABANDONED_IN_A_ROW) break;
    count += 1;
  }
  return count;
}

/** Has the failure reported and its message sent, unless the execution did so itself. */
async function tell(
  { run, executionArn, startedAt, error, cause }: DeadExecution,
  { store, failureReports, clock }: CleanUpRunServices,
): Promise<void> {
  if ((await store.describe(bucketLayout.ended(run))) !== undefined) return;
  const isMessageWritten = (await store.describe(bucketLayout.message(run))) !== undefined;
  const input = {
    schema: 1,
    run: toRunId(run),
    executionArn,
    startedAt: startedAt.toISOString(),
    failure: { error, cause: cause.slice(0, MAX_CAUSE_LENGTH) },
    isMessageWritten,
  };
  await failureReports.start(toReportName(run, clock()), JSON.stringify(input));
}
