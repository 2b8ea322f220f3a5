import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { cellsFor, DRAW_CELLS } from '../../judging/draw.ts';
import { resolveGate } from '../../pipeline/resolve-gate.ts';
import { engineOf } from '../../plan/engine-of.ts';
import type { JudgedConfiguration } from '../../plan/judge-configuration.ts';
import type { DrawnRounds, DrawnSample } from '../../plan/plan.ts';
import type { RunParts } from '../../run/run-id.ts';
import { readAllInputs } from '../records/inputs.ts';
import { writeDrawnUpTo } from '../records/rounds.ts';
import { seedOf } from './draw-seed.ts';

/** A first round, and what it draws. */
interface FirstRound {
  readonly sample: DrawnSample;
  readonly rounds: DrawnRounds;
}

/**
 * Draws the first round of a run whose gate is decided early, and writes the list of its inputs, which all later steps read in place of all.
 * Null where the drop is too small for more than one round.
 */
export async function drawFirstRound(
  store: ObjectStore,
  run: RunParts,
  {
    config,
    speeds,
    frozen,
  }: Pick<JudgedConfiguration, 'config' | 'speeds'> & { readonly frozen: Pick<Frozen, 'manifestSlices'> },
): Promise<FirstRound | null> {
  const rules = engineOf(config);
  const allowed = rules.largestAllowedBytes(config) ?? Infinity;
  let [of, bytes, largest] = [0, 0, 0];
  for await (const { size } of readAllInputs(store, run)) {
    of += 1;
    if (size > allowed) continue;
    bytes += size;
    largest = Math.max(largest, size);
  }
  if (of === 0) return null;
  const { settings: engine } = rules.jobSettings(config, largest, speeds);
  const first = Math.max(
    rules.objectsOfRound({ objects: of, bytes }, engine),
    resolveGate(config)?.minInputs ?? 1,
  );
  const upTo = cellsFor(first, of);
  if (upTo === DRAW_CELLS) return null;
  const seed = seedOf(run, frozen);
  const { drawn } = await writeDrawnUpTo(store, run, { seed, upTo });
  if (drawn === 0 || drawn === of) return null;
  return {
    sample: { inputs: drawn, of, by: 'none', file: 'pipeline.json', seed, classes: [] },
    rounds: { seed, of, first, engine, upTo },
  };
}
