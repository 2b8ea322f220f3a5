import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { cellOf, cellsFor, DRAW_CELLS, drawOf } from '../../judging/draw.ts';
import { resolveGate } from '../../pipeline/resolve-gate.ts';
import type { EngineAsked } from '../../plan/engine-asked.ts';
import type { FoundInputs, PickInputs } from '../../plan/found.ts';
import type { RunParts } from '../../run/run-id.ts';
import { readAllInputs } from '../records/inputs.ts';
import { seedOf } from './draw-seed.ts';

/** Draws the first round of a run whose gate is decided early. Null if the drop is too small for more than one round. */
export async function drawFirstRound(
  store: ObjectStore,
  run: RunParts,
  { configuration: { config, speeds }, planning }: Pick<EngineAsked, 'configuration' | 'planning'>,
  frozen: Pick<Frozen, 'manifestSlices'>,
): Promise<FoundInputs['drawn'] | null> {
  const allowed = planning.largestAllowedBytes(config) ?? Infinity;
  let [of, bytes, largest] = [0, 0, 0];
  for await (const { size } of readAllInputs(store, run)) {
    of += 1;
    if (size > allowed) continue;
    bytes += size;
    largest = Math.max(largest, size);
  }
  if (of === 0) return null;
  const { settings: engine } = planning.jobSettings(config, largest, speeds);
  const first = Math.max(
    planning.objectsOfRound({ objects: of, bytes }, engine),
    resolveGate(config)?.minInputs ?? 1,
  );
  const upTo = cellsFor(first, of);
  if (upTo === DRAW_CELLS) return null;
  const seed = seedOf(run, frozen);
  const draw = drawOf(seed);
  const pick: PickInputs = async function* (all) {
    for await (const input of all) if (cellOf(draw(input.name)) < upTo) yield input;
  };
  let drawn = 0;
  for await (const _ of pick(readAllInputs(store, run))) drawn += 1;
  if (drawn === 0 || drawn === of) return null;
  return {
    sample: { inputs: drawn, of, by: 'none', file: 'pipeline.json', seed, classes: [] },
    rounds: { seed, of, first, engine, upTo },
    problems: [],
    pick,
  };
}
