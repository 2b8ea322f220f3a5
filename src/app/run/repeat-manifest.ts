import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { nextRepetition } from '../../run/generation.ts';
import { type DropParts, type RunParts, toRunId } from '../../run/run-id.ts';
import { frozenJson } from '../records/drop.ts';
import { type ExecutionsOf, startRun } from './start-run.ts';

/** Services that start a rerun, a replay or a rescore. */
export interface RepeatServices {
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<'start'>;
}

/** The kind of a generation by where it comes from. */
const KINDS = { drop: 'r', rerun: 'r', replay: 'r', rescore: 's', continue: 'c' } as const;

/** Starts the next repetition of a run's manifest, frozen as given; two at once get different numbers. */
export async function repeatManifest(
  original: RunParts,
  manifest: Frozen,
  { store, executions }: RepeatServices,
): Promise<{ run: string }> {
  // The slices that cover the drop matter only to the generation after the original.
  const frozen: Frozen = { ...manifest, coveredSlices: [] };
  const kind = KINDS[manifest.origin.mode];
  const existing = await existingGenerations(store, original);
  for (;;) {
    const generation = nextRepetition(kind, original.generation, existing);
    const run = { ...original, generation };
    // SettleDrop finds it frozen and copies the manifest from the same slices.
    const isOurs = await frozenJson(run).create(store, frozen);
    if (isOurs) {
      await startRun(executions, run);
      return { run: toRunId(run) };
    }
    existing.push(run.generation);
  }
}

/** Every generation of a drop that has left a mark, in no order. */
export async function existingGenerations(store: ObjectStore, drop: DropParts): Promise<string[]> {
  const state = bucketLayout.stateOf(drop);
  return Array.fromAsync(store.listFolders(state), (folder) => folder.slice(state.length, -1));
}
