import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Plan } from '../../plan/plan.ts';
import { bucketLayout, listFolder } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { headOf, OutputBundle } from '../../transform/output-bundle.ts';
import type { LogsByEngine } from '../engine/engine-logs.ts';
import { bundleFactJson, unbundledJson } from '../records/bundle-facts.ts';
import { readBundleItems } from '../records/bundle-items.ts';
import { writeJobRecord } from '../records/jobs.ts';

/** Cap on the characters of a container's words in a sentence. */
const MAX_WORDS = 300;

/**
 * Why the first bundle of a run has no usable answer: its job failed, or a bundle of it has no answer to any input.
 * Undefined if it has one.
 */
export async function whyUnusable(
  store: ObjectStore,
  run: RunParts,
  last: JobRecord,
  logs: LogsByEngine,
): Promise<string | undefined> {
  const why = await whyUnanswered(store, run, last);
  if (why === undefined) return undefined;
  const [failure] = await Array.fromAsync(logs[last.engine.name].failures(last, 1));
  return (failure?.why ?? why).replace(/\s+/g, ' ').trim().slice(0, MAX_WORDS);
}

async function whyUnanswered(
  store: ObjectStore,
  run: RunParts,
  { status, failureReason, input, jobName }: JobRecord,
): Promise<string | undefined> {
  // Others may write answers next to a failed job's.
  if (status !== 'Completed') return failureReason ?? `transform job ${jobName} ended ${status}`;
  const list = listFolder(run, input);
  for (const { bundle, inputs } of await readBundleItems(store, run, list)) {
    const bytes = await store.readBytes(bucketLayout.bundleOutput(run, list, bundle));
    if (bytes === undefined) return `transform job ${jobName} has left no answer`;
    const head = headOf(Buffer.from(bytes).toString());
    if (head?.inputs !== inputs) return 'it is not what inferdrop’s handler answers';
    const [[index, code] = [0, 0]] = head.failed;
    if (head.failed.length === inputs)
      return `the model answered ${code}: ${new OutputBundle(bytes).message(index)}`;
  }
  return undefined;
}

/**
 * Has PlanRun plan the run again without bundles, from an attempt on.
 *
 * @param tries all attempts with the bundle; the last one tells a repeated call that it was given up, and is marked last
 */
export async function giveUpBundles(
  store: ObjectStore,
  run: RunParts,
  tries: readonly JobRecord[],
  { attempt, why }: { readonly attempt: number; readonly why: string },
): Promise<void> {
  await unbundledJson(run).write(store, { schema: 1, attempt, why });
  for (const one of tries) {
    await removeAnswers(store, run, one);
    await writeJobRecord(store, run, { ...one, kind: 'first-bundle' });
  }
}

/** Deletes the unusable answers of an attempt, which belong to no input. */
export async function removeAnswers(store: ObjectStore, run: RunParts, { input }: JobRecord): Promise<void> {
  for await (const { key } of store.list(bucketLayout.listOutputs(run, listFolder(run, input))))
    await store.delete(key);
}

/** Keeps for later runs whether the archive of a run answers bundles. */
export async function keepBundleFact(
  store: ObjectStore,
  run: string,
  { archive, way }: NonNullable<Plan['firstBundle']>,
  refused: string | null,
  at: Date,
): Promise<void> {
  await bundleFactJson(archive, way).write(store, { schema: 1, refused, run, at: at.toISOString() });
}
