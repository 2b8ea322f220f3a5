import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import { RunId } from '../../drop/run-id.ts';
import type { Plan } from '../../plan/plan.ts';
import { partOfEntry } from '../../plan/part-of-entry.ts';
import { toPlannedRecord } from '../../plan/planned-record.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { reasonToEnd } from '../../transform/limit-watch.ts';
import { chunkManifest } from '../../transform/manifest-chunk.ts';
import type { NextAttempt } from '../../transform/next-attempt.ts';
import { decideNextAttempt } from '../../transform/next-attempt.ts';
import type { Reconciled, ReconcileContext } from '../../transform/reconcile-chunk.ts';
import { reconcileChunk } from '../../transform/reconcile-chunk.ts';
import type { Shard } from '../../transform/shard-cutter.ts';
import { ShardCutter } from '../../transform/shard-cutter.ts';
import { listChunk } from '../drop/list-chunk.ts';
import { inOrder } from '../run/in-order.ts';
import { planRetry } from './plan-retry.ts';
import { readManifest } from '../run/read-manifest.ts';
import { readAttempts, toSpending } from './read-spending.ts';
import type { ReconciledEntry } from './reconciled-entry.ts';
import { requireRun } from '../run/require-run.ts';
import { readPlan, writeJobRecord, writeJson } from '../run/run-file.ts';

/** Listing a chunk takes about 20 requests; as many chunks are under way as keep one processor busy. */
const CHUNK_ENTRIES = 10_000;
const CONCURRENT_CHUNKS = 4;

export const ReconcileOutputsInput = z.object({
  run: RunId,
  attempt: z.int().min(1),
  jobName: z.string(),
  jobStatus: z.enum(['Completed', 'Failed', 'Stopped']),
});
export const ReconcileOutputsOutput = z.discriminatedUnion('next', [
  z.object({ next: z.literal('transform'), attempt: z.int(), instance: z.int() }),
  z.object({ next: z.literal('fold'), shards: z.int(), inputs: z.int(), missing: z.int() }),
]);

export interface ReconcileOutputsServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
}

/** SageMaker wrote an output where no input's output belongs. */
class OutputLayoutUnexpected extends Error {
  override readonly name = 'OutputLayoutUnexpected';
}

/** No input has a prediction. */
class NothingPredicted extends Error {
  override readonly name = 'NothingPredicted';
}

/**
 * State `ReconcileOutputs`: compares inputs and outputs, whatever the job says of itself, and decides what comes next.
 * One bad file makes SageMaker call a job `Failed` though the outputs of all others are complete.
 *
 * @throws {OutputLayoutUnexpected}
 * @throws {NothingPredicted}
 */
export async function reconcileOutputs(
  input: z.infer<typeof ReconcileOutputsInput>,
  { store, clock }: ReconcileOutputsServices,
): Promise<z.infer<typeof ReconcileOutputsOutput>> {
  const run = requireRun(input.run);
  const [plan, records] = await Promise.all([readPlan(store, run), readAttempts(store, run, input.attempt)]);
  const last = records.at(-1);
  if (last === undefined) throw new RangeError(`attempt must be 1 or more, is ${input.attempt}`);
  const attempts = records.filter((record) => record.capacity !== true);
  const limit = last.stopReason ?? reasonToEnd(toSpending(records, plan, clock()));
  const attempt = input.attempt + 1;
  const instance = Math.max(0, plan.transform.instanceTypes.indexOf(last.instanceType));
  const begin = async (
    record: JobRecord,
  ): Promise<{ next: 'transform'; attempt: number; instance: number }> => {
    await writeJobRecord(store, run, { ...record, instanceType: last.instanceType });
    return { next: 'transform', attempt, instance };
  };

  if (
    input.jobStatus === 'Completed' &&
    last.kind === 'part' &&
    last.part < plan.jobs.length &&
    limit === undefined
  ) {
    // A completed job has an output for every input: looking is left to the end.
    const outputsBefore = last.outputsBefore + last.objects;
    return begin(
      toPlannedRecord(plan, store.bucket, { attempt, part: last.part + 1, at: clock(), outputsBefore }),
    );
  }

  const compare = (undone: string | undefined): Promise<Comparison> =>
    writeReconciled(store, { plan, lastPart: last.part, detail: toDetail(attempts, undone), undone });
  const found = await compare(limit);
  // Completed jobs are not looked at one by one, and one of them may have written less than it was believed to.
  const lastYielded = found.written > last.outputsBefore || (last.kind === 'part' && found.ofLastPart > 0);
  const decision = decideNextAttempt({
    attempts,
    lastYielded,
    parts: plan.jobs.length,
    missing: found.missing,
    limit,
  });
  if (decision.next === 'part') {
    const { part } = decision;
    return begin(
      toPlannedRecord(plan, store.bucket, { attempt, part, at: clock(), outputsBefore: found.written }),
    );
  }
  if (decision.next !== 'fold') {
    const { next, part } = decision;
    const record = await planRetry(store, {
      plan,
      next,
      part,
      attempt,
      last,
      outputsBefore: found.written,
      at: clock(),
    });
    // A half may have nothing left in it: its files were deleted meanwhile.
    if (record !== undefined) return begin(record);
  }
  if (found.outputs === 0) throw new NothingPredicted(nothingPredicted(last, found, decision));
  if ('reason' in decision && decision.reason !== undefined && limit === undefined)
    await compare(decision.reason);
  await writeJson(store, bucketLayout.shards(run), found.shards);
  return {
    next: 'fold',
    shards: found.shards.length,
    inputs: found.inputs,
    missing: found.inputs - found.outputs,
  };
}

interface Comparison {
  readonly shards: readonly Shard[];
  readonly inputs: number;
  /** Outputs of inputs that are still what the manifest says. */
  readonly outputs: number;
  /** Those of the plan's job that was attempted last. */
  readonly ofLastPart: number;
  /** Output objects there are, those of changed inputs included. */
  readonly written: number;
  /** Inputs that were sent, are unchanged, and have no output. */
  readonly missing: number;
  readonly changed: number;
}

/** Writes reconciled.jsonl: manifest, current inputs and outputs in one pass, in bounded memory. */
async function writeReconciled(
  store: ObjectStore,
  {
    plan,
    lastPart,
    detail,
    undone,
  }: {
    readonly plan: Plan;
    readonly lastPart: number;
    readonly detail: string;
    readonly undone: string | undefined;
  },
): Promise<Comparison> {
  const run = requireRun(plan.run);
  const context: ReconcileContext = {
    inputPrefix: plan.input.prefix,
    outputPrefix: bucketLayout.predictions(run),
    largestAllowedBytes: plan.transform.largestAllowedBytes,
    partOf: partOfEntry(plan),
    lastPart,
  };
  const shards = new ShardCutter(plan.run);
  const counts = { inputs: 0, outputs: 0, ofLastPart: 0, written: 0, missing: 0, changed: 0 };
  const chunks = chunkManifest(readManifest(store, bucketLayout.manifest(run)), CHUNK_ENTRIES, context);
  const compared = inOrder(chunks, CONCURRENT_CHUNKS, async (chunk) =>
    reconcileChunk(
      chunk,
      await listChunk(store, chunk, { ...context, inputBucket: plan.input.bucket }),
      context,
    ),
  );
  async function* lines(): AsyncGenerator<string> {
    for await (const [, { inputs, written, unexplained }] of compared) {
      if (unexplained !== undefined) throw unexpectedLayout(unexplained, plan);
      counts.written += written;
      let text = '';
      for (const reconciled of inputs) {
        const line = `${JSON.stringify(toEntry(reconciled, { detail, undone }))}\n`;
        text += line;
        shards.add(Buffer.byteLength(line), reconciled.output?.bytes ?? 0);
        counts.inputs += 1;
        if (reconciled.output !== undefined) {
          counts.outputs += 1;
          if (context.partOf(reconciled.entry) === lastPart) counts.ofLastPart += 1;
        }
        if (reconciled.error === 'model-error') counts.missing += 1;
        if (reconciled.error === 'superseded' || reconciled.error === 'deleted') counts.changed += 1;
      }
      yield text;
    }
  }
  await store.writeStream(bucketLayout.reconciled(run), lines(), { contentType: 'application/jsonlines' });
  return { ...counts, shards: shards.finish() };
}

function toEntry(
  { entry: { key, size, etag, lastModified }, output, error, detail }: Reconciled,
  common: { readonly detail: string; readonly undone: string | undefined },
): ReconciledEntry {
  const about = { key, size, etag, lastModified };
  if (output !== undefined) return { ...about, output: output.key };
  const reason = error ?? 'model-error';
  const why =
    reason === 'not-attempted' ? (common.undone ?? 'no job was started for it') : (detail ?? common.detail);
  return { ...about, error: reason, detail: why };
}

function toDetail(attempts: readonly JobRecord[], undone: string | undefined): string {
  const last = attempts.at(-1);
  if (last === undefined) return 'no output';
  const said = last.failureReason === undefined ? last.status : `${last.status}: ${last.failureReason}`;
  const tries = attempts.length === 1 ? 'one job' : `${attempts.length} jobs`;
  const why = undone === undefined ? '' : `; no further job was started: ${undone}`;
  return `no output after ${tries}; ${last.jobName} ended ${said}${why}`;
}

function unexpectedLayout(key: string, { input, run }: Plan): OutputLayoutUnexpected {
  return new OutputLayoutUnexpected(
    `${key} is the output of no input: outputs must be ${bucketLayout.predictions(requireRun(run))}<key below s3://${input.bucket}/${input.prefix}>.out. ` +
      'Nothing has been scored, since labels could be given to the wrong files',
  );
}

function nothingPredicted(
  last: JobRecord,
  { inputs, missing, changed }: Comparison,
  decision: NextAttempt,
): string {
  if (missing === 0 && changed > 0) {
    return `none of ${inputs} inputs can be scored: ${changed} were overwritten or deleted while the run went on`;
  }
  const ended = `transform job ${last.jobName} ended ${last.status}${last.failureReason === undefined ? '' : ` with ${JSON.stringify(last.failureReason)}`}`;
  const why = 'reason' in decision && decision.reason !== undefined ? ` ${decision.reason};` : '';
  return (
    `none of ${inputs} inputs has a prediction:${why} ${ended}. ` +
    `Its log is in the log group /aws/sagemaker/TransformJobs, in the streams that begin with ${last.jobName}/`
  );
}
