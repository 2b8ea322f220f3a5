import type { Executions } from '../aws/executions.ts';
import type { ObjectStore } from '../aws/object-store.ts';
import { bucketLayout } from '../drop/bucket-layout.ts';
import type { Frozen } from '../drop/frozen.ts';
import { nextRerun } from '../drop/generation.ts';
import { toRunId } from '../drop/run-id.ts';
import { readFrozen } from './frozen-manifest.ts';
import { requireRun } from './require-run.ts';
import { startRun } from './start-run.ts';

export interface RerunServices {
  readonly store: ObjectStore;
  readonly executions: Executions;
}

/**
 * Repeats a run on the same manifest with a fresh plan: pipeline.json and job.json are read again.
 *
 * @throws `NothingToRerun` if the run took no files in
 */
export async function rerun(
  { run: name }: { readonly run: string },
  { store, executions }: RerunServices,
): Promise<{ run: string }> {
  const original = requireRun(name);
  const frozen = await readFrozen(store, original);
  if (frozen === undefined || frozen.objects === 0) {
    const why = frozen === undefined ? 'it has not frozen' : `it is ${frozen.status} with no objects`;
    throw Object.assign(
      new Error(`run ${name} must have a manifest to be repeated, but ${why}: drop the files again`),
      {
        name: 'NothingToRerun',
      },
    );
  }
  const existing: string[] = [];
  const state = bucketLayout.stateOf(original.pipeline, original.drop);
  for await (const folder of store.listFolders(state)) existing.push(folder.slice(state.length, -1));
  const copy: Frozen = { ...frozen, rerunOf: frozen.rerunOf ?? name };
  for (;;) {
    const run = { ...original, generation: nextRerun(original.generation, existing) };
    // SettleDrop finds it frozen and copies the manifest from the same slices.
    const isOurs = await store.createIfAbsent(bucketLayout.frozen(run), JSON.stringify(copy), {
      contentType: 'application/json',
    });
    if (isOurs) {
      await startRun(executions, run);
      return { run: toRunId(run) };
    }
    existing.push(run.generation);
  }
}
