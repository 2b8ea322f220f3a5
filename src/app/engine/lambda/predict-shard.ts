import * as z from 'zod';
import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import { RunParts, toRunId } from '../../../run/run-id.ts';
import { duration } from '../../../text/figures.ts';
import { toBundleHead, toErrorLine } from '../../../transform/output-bundle.ts';
import { PREDICT_TIMEOUT_MS } from '../../../transform/predict-function.ts';
import {
  addPiece,
  afterDeath,
  beginShard,
  type Range,
  type ShardProgress,
  tryNext,
} from '../../../transform/shard-progress.ts';
import { BundleBatch, type BundlePlace } from '../../records/bundle-items.ts';
import { readBundleInputs } from '../../records/bundles.ts';
import { type PredictingPlan, predictingPlanJson } from '../../records/predicting-plan.ts';
import { shardProgress } from '../../records/shards.ts';
import { useCase } from '../../use-case.ts';
import { type FunctionMemory, watchMemory } from './memory-watch.ts';
import { predictRange, type PredictServices, READS_AT_ONCE } from './predict-range.ts';
import type { OpenModel } from './predicting-model.ts';

/**
 * Time of a call in which inputs are answered: the rest of its function's is for one that takes longer than those before it,
 * and for writing.
 */
const BUDGET_MS = PREDICT_TIMEOUT_MS - 60_000;
const LINES = { contentType: 'application/jsonlines' };

interface PredictShardServices extends PredictServices, FunctionMemory {
  readonly store: ObjectStore;
  readonly openModel: OpenModel;
  /** Milliseconds that the function has taken to start, once; 0 at later invocations. */
  readonly startMs: () => number;
}

/** `model`: opens the model of a run, so that it is refused before a job. `bundles`: a batch of the Distributed Map. */
const Input = z.discriminatedUnion('what', [
  z.object({ what: z.literal('model'), run: RunParts }),
  BundleBatch.extend({ what: z.literal('bundles') }),
]);

/**
 * State `PredictShard` of statemachines/predict-shards.asl.yml: answers the inputs of bundles, one after the other, and
 * writes the answers of each in one object. A repeated call goes on where an earlier call stopped. If that one died, the
 * inputs that it was at are tried by halves, so that an input on which the process dies doesn't take others along.
 *
 * @throws {ModelRefused}
 */
export const predictShard = useCase({
  input: Input,
  /** `isDone` is false if the time is up: the same call goes on. */
  output: z.object({ isDone: z.boolean(), runtime: z.string() }),
})(async (asked, services: PredictShardServices) => {
  const { store, openModel, clock } = services;
  const deadline = clock().getTime() + BUDGET_MS;
  if (asked.what === 'model') {
    const { model } = await predictingPlanJson(asked.run).require(store);
    return { isDone: true, runtime: (await openModel(model)).runtime };
  }
  const [{ run }] = asked.Items;
  const plan = await predictingPlanJson(run).require(store);
  let runtime = '';
  for (const item of asked.Items) {
    if ((await store.describe(bucketLayout.bundleOutput(run, item.list, item.bundle))) !== undefined)
      continue;
    if (runtime !== '' && clock().getTime() >= deadline) return { isDone: false, runtime };
    const done = await predictBundle(item, plan, deadline, services);
    ({ runtime } = done);
    if (!done.isDone) return done;
  }
  return { isDone: true, runtime };
});

/** Answers a bundle until the deadline, at least one input of it. */
async function predictBundle(
  item: BundlePlace,
  plan: PredictingPlan,
  deadline: number,
  services: PredictShardServices,
): Promise<{ readonly isDone: boolean; readonly runtime: string }> {
  const { store, openModel, clock } = services;
  const began = clock().getTime();
  const startMs = services.startMs();
  const { run, list, bundle } = item;
  const [inputs, stored] = await Promise.all([
    readBundleInputs(store, item),
    shardProgress(run, list, bundle).read(store),
  ]);
  const keep = (progress: ShardProgress): Promise<void> =>
    shardProgress(run, list, bundle).write(store, progress);
  const keyOf = (from: number): string => bucketLayout.shardPiece(run, list, bundle, from);

  const found = afterDeath(stored ?? beginShard(inputs.length, services.memoryMB, clock()), clock());
  let { progress } = found;
  if (found.killer !== undefined) {
    const { place, isLate } = found.killer;
    const message = isLate
      ? `the model took longer for this one input than the ${duration(PREDICT_TIMEOUT_MS / 1000)} that a function has: ` +
        'set transform.engine to "sagemaker", which allows a transform.invocationsTimeoutInSeconds of up to an hour'
      : `the function that predicts died on this one input: it ran out of memory, or crashed${lastMeasured(stored)}`;
    const line = toErrorLine(inputs[place]?.name ?? '', { status: 500, message });
    await store.write(keyOf(place), line, LINES);
    progress = addPiece(progress, { range: [place, place + 1], failed: [[place, 500]] }, 0);
  }
  // The time that this process has used is also paid for if it dies.
  const withTime = (kept: ShardProgress): ShardProgress => ({
    ...kept,
    ms: kept.ms + startMs + clock().getTime() - began,
  });
  const isCold = startMs > 0;
  if (isCold) await keep({ ...progress, opening: true, triedAt: new Date(began - startMs).toISOString() });
  const opened = openModel(plan.model, `${toRunId(run)} ${list}`);
  const model = await opened.catch(async (error: unknown) => {
    if (isCold) await keep(withTime(progress));
    throw error;
  });
  let msEach = 0;
  let whole: string | undefined;
  for (let next = tryNext(progress, clock()); next !== undefined; next = tryNext(progress, clock())) {
    const begun = withTime(next);
    await keep(begun);
    const unwatch = watchMemory(services, (peakMB) => keep({ ...begun, peakMB }));
    const before = progress;
    const [from, upTo] = next.trying;
    const isAlone = from < next.alone;
    const range: Range = [from, isAlone ? Math.min(upTo, next.alone) : upTo];
    const at = { deadline, most: isAlone ? 1 : READS_AT_ONCE, msEach };
    const done = await predictRange(inputs, range, at, { plan, model }, services)
      .finally(unwatch)
      .catch(async (error: unknown) => {
        // S3 has refused a read, say: nothing has died, and the call that is repeated tries the same range.
        await keep(withTime(before));
        throw error;
      });
    const alone = Math.max(next.alone, done.range[1] + done.suspects);
    progress = { ...addPiece(next, { range: done.range, failed: done.failed }, 0), alone };
    const isWhole = done.range[0] === 0 && done.range[1] === inputs.length;
    if (isWhole) whole = done.lines;
    else if (done.lines !== '') await store.write(keyOf(done.range[0]), done.lines, LINES);
    ({ msEach } = done);
    // A script that was lost late may be late again, and this call would not outlive it.
    const spareMs = done.suspects > 0 ? BUDGET_MS / 2 : 0;
    if ((done.isLate || clock().getTime() >= deadline - spareMs) && progress.pending.length > 0) {
      await keep(withTime(progress));
      return { isDone: false, runtime: model.runtime };
    }
  }
  // One that dies while it joins the pieces has died on no input.
  if (whole === undefined) await keep(withTime(progress));
  const lines = whole === undefined ? await joined(store, progress, keyOf) : [whole];
  const head = {
    inputs: inputs.length,
    failed: progress.pieces.flatMap(({ failed }) => failed),
    ms: withTime(progress).ms,
    memoryMB: services.memoryMB,
    runtime: model.runtime,
    isJoint: false,
  };
  await store.write(
    bucketLayout.bundleOutput(run, list, bundle),
    [toBundleHead(head), ...lines].join(''),
    LINES,
  );
  return { isDone: true, runtime: model.runtime };
}

/** The memory of the process that died; empty if it was little. */
function lastMeasured(progress: ShardProgress | undefined): string {
  if (progress === undefined || progress.peakMB === 0) return '';
  const { peakMB, memoryMB } = progress;
  return `; its process had held ${Math.round(peakMB)} of ${memoryMB} MB, which parameter PredictMemory raises`;
}

async function joined(
  store: ObjectStore,
  { pieces }: ShardProgress,
  keyOf: (from: number) => string,
): Promise<string[]> {
  return Promise.all(
    pieces.map(async ({ range: [from] }) => {
      const text = await store.readText(keyOf(from));
      if (text === undefined) throw new RangeError(`${keyOf(from)} is not there`);
      return text;
    }),
  );
}
