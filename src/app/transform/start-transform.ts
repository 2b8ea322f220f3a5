import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Plan } from '../../plan/plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { listFolder } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { reasonToEnd } from '../../transform/limit-watch.ts';
import { pollWaitSeconds } from '../../transform/poll-wait.ts';
import type { Engines, Start } from '../engine/engine.ts';
import { readBundleItems } from '../records/bundle-items.ts';
import { missingBundle } from '../records/bundles.ts';
import { jobJson, writeJobRecord } from '../records/jobs.ts';
import { planJson } from '../records/plan.ts';
import { placeBundles } from '../records/sent-inputs.ts';
import { type ExecutionsOf, isRunOver } from '../run/start-run.ts';
import { stopLeftTransforms } from '../run/stop-left-transforms.ts';
import { useCase } from '../use-case.ts';
import { hasWorked, readAttempts, toSpending } from './read-spending.ts';

/**
 * Sent by state `StartTransform`: for each attempt, and after each wait for hardware; `poll` counts the waits so far,
 * `bundled` how often the attempt's bundles were written.
 */
const Input = z.object({
  run: RunParts,
  attempt: z.int().min(1),
  poll: z.int().nonnegative(),
  bundled: z.int().nonnegative(),
});
/** Bundles that are gone again are written a second time. */
const MOST_WRITTEN = 2;
/**
 * Whether the job runs:
 *
 * - `started`: the job runs; its name is for people, since its record has it
 * - `waiting`: all hardware is in use; the same call again after `waitSeconds`, until the run's time is up
 * - `bundle`: its inputs (the run's folder `list`) are to be put into bundles; then the same call again with `bundled`
 * - `ended`: no hardware came free within the run's time; the outputs up to the earlier `attempt` are scored
 */
const Output = z.discriminatedUnion('status', [
  z.object({ status: z.literal('started'), jobName: z.string() }),
  z.object({ status: z.literal('waiting'), waitSeconds: z.int().min(1), poll: z.int().min(1) }),
  z.object({ status: z.literal('bundle'), list: z.string(), bundled: z.int().min(1) }),
  z.object({ status: z.literal('ended'), attempt: z.int().min(1) }),
]);

/** Services of the start; `executions` shows whether the run's own execution has ended meanwhile. */
export interface StartTransformServices {
  readonly store: ObjectStore;
  readonly engines: Engines;
  readonly executions: ExecutionsOf<'arnOf' | 'describe'>;
  readonly clock: () => Date;
}

/**
 * State `StartTransform`: has an attempt's engine start its job; if all hardware is in use, it says how long to wait. Repeating it
 * finds the job that the first call started; if its execution ended meanwhile, the job is stopped at once.
 *
 * @throws {TransformThrottled}
 * @throws {ResourceLimitExceeded} if no hardware came free for the run's first job within limits.maxRuntimeMinutes
 * @throws {InstanceCapacity} if waiting cannot help, and no job has run
 * @throws {JobNameTaken}
 * @throws {BundleMissing} if a bundle of the job's inputs is gone again after it was written a second time
 */
export const startTransform = useCase({
  input: Input,
  output: Output,
})(async (input, { store, engines, executions, clock }: StartTransformServices) => {
  const { run, attempt } = input;
  const [plan, record] = await Promise.all([
    planJson(run).require(store),
    jobJson(run, attempt).require(store),
  ]);
  if (plan.bundle !== null && plan.bundle.form !== 'list') {
    const list = listFolder(run, record.input);
    const missing = await missingBundle(store, run, list);
    if (missing !== undefined && input.bundled >= MOST_WRITTEN) throw bundleMissing(missing);
    if (missing !== undefined) {
      await placeBundles(store, run, list, await readBundleItems(store, run, list));
      return { status: 'bundle', list, bundled: input.bundled + 1 };
    }
  }
  const start = await engines[record.engine.name].start({ run, plan, record });
  if (start.status !== 'started') return waitOrEnd(start, input, { plan, store, now: clock() });
  await writeJobRecord(store, run, start.record);
  // If the execution ended before the job was created, clean-up-run saw none; stop it here.
  if (await isRunOver(executions, run)) await stopLeftTransforms(run, { store, engines, clock });
  return { status: 'started', jobName: record.jobName };
});

function bundleMissing(key: string): Condition {
  return new Condition(
    'BundleMissing',
    `${key} is not there, though it was written ${MOST_WRITTEN} times: something removes what lies below it. No job was started`,
  );
}

async function waitOrEnd(
  refused: Exclude<Start, { status: 'started' }>,
  { run, attempt, poll }: z.infer<typeof Input>,
  { plan, store, now }: { readonly plan: Plan; readonly store: ObjectStore; readonly now: Date },
): Promise<z.infer<typeof Output>> {
  const before = await readAttempts(store, run, attempt - 1);
  const last = before.at(-1);
  if (refused.status === 'unavailable') {
    if (last === undefined || !hasWorked(before)) throw refused.error;
    await writeJobRecord(store, run, { ...last, stopReason: refused.error.message });
    return { status: 'ended', attempt: last.attempt };
  }
  const reason = reasonToEnd(toSpending(before, plan, now));
  if (reason === undefined) {
    const runSeconds = (now.getTime() - Date.parse(plan.createdAt)) / 1000;
    return { status: 'waiting', waitSeconds: pollWaitSeconds(poll, runSeconds), poll: poll + 1 };
  }
  if (last === undefined || last.kind === 'first-bundle')
    throw new Condition(
      'ResourceLimitExceeded',
      `${reason} without an instance: ${refused.reasons.join('; ')}`,
    );
  return { status: 'ended', attempt: last.attempt };
}
