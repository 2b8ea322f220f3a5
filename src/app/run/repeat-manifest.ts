import { isDeepStrictEqual } from 'node:util';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { Frozen, Trial } from '../../drop/frozen.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { nextRepetition, parseGeneration } from '../../run/generation.ts';
import { type DropParts, type RunParts, toRunId } from '../../run/run-id.ts';
import { frozenJson } from '../records/drop.ts';
import { endedJson } from '../records/run.ts';
import { type ExecutionsOf, startRun } from './start-run.ts';

/** Services that start a repetition of a run. */
export interface RepeatServices {
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<'start'>;
}

/** The kind of a generation by where it comes from. */
const KINDS = { drop: 'r', rerun: 'r', replay: 'r', rescore: 's', continue: 'c' } as const;

/** The run that a repetition of a manifest is, and whether it was there before. */
export interface Repeated {
  readonly run: string;
  readonly outcome: 'started' | 'exists';
}

/** Documents of earlier repetitions that are read at once. */
const REQUESTS_AT_ONCE = 16;

/**
 * Starts the next repetition of a run's manifest, frozen as given; two at once get different numbers. Only a trial is handed on to
 * it. A rescore or a continuation of the same origin that is under way, or has ended with a report, is the answer: among concurrent
 * equal requests, only one starts a run.
 */
export async function repeatManifest(
  original: RunParts,
  manifest: Frozen,
  { store, executions }: RepeatServices,
  trial?: Trial,
): Promise<Repeated> {
  // The slices that cover the drop matter only to the generation after the original.
  const { trial: _trial, ...others } = manifest;
  const frozen: Frozen = { ...others, coveredSlices: [], ...(trial && { trial }) };
  const kind = trial === undefined ? KINDS[manifest.origin.mode] : 'p';
  const existing = await existingGenerations(store, original);
  const { number } = parseGeneration(original.generation) ?? {};
  const repetitions = existing.filter((generation) => {
    const found = parseGeneration(generation);
    return found?.number === number && found?.kind === kind;
  });
  const judged = inOrder(repetitions, REQUESTS_AT_ONCE, (generation) =>
    standsFor(store, { ...original, generation }, frozen.origin),
  );
  for await (const [generation, stands] of judged)
    if (stands) return takeUp({ ...original, generation }, executions);
  for (;;) {
    const generation = nextRepetition(kind, original.generation, existing);
    const run = { ...original, generation };
    // SettleDrop finds it frozen and copies the manifest from the same slices.
    const isOurs = await frozenJson(run).create(store, frozen);
    if (isOurs) {
      await startRun(executions, run);
      return { run: toRunId(run), outcome: 'started' };
    }
    // Every number below it has been looked at, so that equal requests meet here.
    if (await standsFor(store, run, frozen.origin)) return takeUp(run, executions);
    existing.push(run.generation);
  }
}

/** Whether a repetition does the same, and is under way or has left a report of its predictions. */
async function standsFor(store: ObjectStore, run: RunParts, origin: Frozen['origin']): Promise<boolean> {
  if (origin.mode !== 'rescore' && origin.mode !== 'continue') return false;
  if (!isDeepStrictEqual((await frozenJson(run).read(store))?.origin, origin)) return false;
  const ended = await endedJson(run).read(store);
  if (ended === undefined) return true;
  if (ended.status !== 'completed' && ended.status !== 'completed-with-errors') return false;
  return (await store.describe(bucketLayout.reportJson(run))) !== undefined;
}

/** The process that froze it may have died before its execution was started; starting it twice is harmless. */
async function takeUp(run: RunParts, executions: ExecutionsOf<'start'>): Promise<Repeated> {
  await startRun(executions, run);
  return { run: toRunId(run), outcome: 'exists' };
}

/** Every generation of a drop that has left a mark, in no order. */
export async function existingGenerations(store: ObjectStore, drop: DropParts): Promise<string[]> {
  const state = bucketLayout.stateOf(drop);
  return Array.fromAsync(store.listFolders(state), (folder) => folder.slice(state.length, -1));
}
