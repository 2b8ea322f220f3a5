import { listDrop } from '../../app/drop/list-drop.ts';
import { frozenJson, readCovered } from '../../app/records/drop.ts';
import { executionArnOf, type ExecutionsOf } from '../../app/run/start-run.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { mergeCovered } from '../../drop/covered-merge.ts';
import { isCondition } from '../../problem/conditions.ts';
import { formatGeneration, parseGeneration } from '../../run/generation.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { toRun } from './run-result.ts';

interface LaterRunServices {
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<'arnOf' | 'describe'>;
}

/** The files that arrived after a run had frozen its manifest, and the run that takes them. */
export interface LaterRun {
  readonly run: string;
  readonly files: number;
}

/**
 * The run of files that arrived after `run` had frozen its manifest; undefined if there are none. A late or repeated event also
 * starts the next generation, which then finds no file and stops, so an execution itself says nothing.
 */
export async function laterRun(
  { store, executions }: LaterRunServices,
  run: string,
): Promise<LaterRun | undefined> {
  const parts = toRun(run);
  const generation = parseGeneration(parts.generation);
  if (generation === undefined) return undefined;
  const next = { ...parts, generation: formatGeneration(generation.number + 1) };
  if ((await executions(next.kind).describe(executionArnOf(executions, next))) === undefined)
    return undefined;
  const files = (await frozenJson(next).read(store))?.objects ?? (await countFresh(store, parts, next));
  return files === 0 ? undefined : { run: toRunId(next), files };
}

/** Number of files of the drop that are in no manifest up to the one of `run`. */
async function countFresh(store: ObjectStore, run: RunParts, next: RunParts): Promise<number> {
  const covered = (await frozenJson(run).read(store))?.coveredSlices ?? [];
  let count = 0;
  try {
    const listed = listDrop(store, run, undefined, () => undefined);
    for await (const { fresh } of mergeCovered(listed, readCovered(store, covered, undefined)))
      if (fresh !== undefined) count += 1;
    return count;
  } catch (error) {
    // The next generation has frozen meanwhile, and has removed the slices that its own replace.
    const frozen = isCondition(error, 'SliceMissing') ? await frozenJson(next).read(store) : undefined;
    if (frozen === undefined) throw error;
    return frozen.objects;
  }
}
