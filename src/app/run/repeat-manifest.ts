import type { ObjectStore } from '../../aws/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { nextRerun } from '../../run/generation.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { frozenJson } from '../records/frozen.ts';
import { type ExecutionsOf, startRun } from './start-run.ts';

export interface RepeatServices {
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<'start'>;
}

/** Starts the next repetition of a run's manifest, frozen as given; of two at once each gets a number of its own. */
export async function repeatManifest(
  original: RunParts,
  manifest: Frozen,
  { store, executions }: RepeatServices,
): Promise<{ run: string }> {
  const existing: string[] = [];
  // What covers the drop is for the generation after the original to know, and not repeated.
  const frozen: Frozen = { ...manifest, coveredSlices: [] };
  const state = bucketLayout.stateOf(original);
  for await (const folder of store.listFolders(state)) existing.push(folder.slice(state.length, -1));
  for (;;) {
    const run = { ...original, generation: nextRerun(original.generation, existing) };
    // SettleDrop finds it frozen and copies the manifest from the same slices.
    const isOurs = await frozenJson(run).create(store, frozen);
    if (isOurs) {
      await startRun(executions, run);
      return { run: toRunId(run) };
    }
    existing.push(run.generation);
  }
}
