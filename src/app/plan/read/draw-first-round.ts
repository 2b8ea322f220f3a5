import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { Frozen } from '../../../drop/frozen.ts';
import { cellOf, cellsFor, DRAW_CELLS, drawOf } from '../../../judging/draw.ts';
import { resolveGate } from '../../../pipeline/resolve-gate.ts';
import type { EngineAsked } from '../../../plan/engine/engine-asked.ts';
import type { PickInputs } from '../../../plan/found.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { readAllInputs } from '../../records/inputs.ts';
import { type Draw, seedOf } from './draw.ts';

/** Draws the first round of a run whose gate is decided early. Null if the drop is too small for more than one round. */
export async function drawFirstRound(
  store: ObjectStore,
  run: RunParts,
  { configuration: { config, speeds }, planning }: Pick<EngineAsked, 'configuration' | 'planning'>,
  frozen: Pick<Frozen, 'manifestSlices'>,
): Promise<Draw | null> {
  const allowed = planning.largestAllowedBytes(config) ?? Infinity;
  const seed = seedOf(run, frozen);
  const draw = drawOf(seed);
  const inCells = new Array<number>(DRAW_CELLS).fill(0);
  let [of, bytes, largest] = [0, 0, 0];
  for await (const { name, size } of readAllInputs(store, run)) {
    of += 1;
    const cell = cellOf(draw(name));
    inCells[cell] = (inCells[cell] ?? 0) + 1;
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
  const inputs = inCells.slice(0, upTo).reduce((sum, count) => sum + count, 0);
  if (inputs === 0 || inputs === of) return null;
  const pick: PickInputs = async function* (all) {
    for await (const input of all) if (cellOf(draw(input.name)) < upTo) yield input;
  };
  return {
    sample: () => ({ inputs, of, by: 'none', file: 'pipeline.json', seed, classes: [] }),
    rounds: { seed, of, first, engine, upTo },
    problems: [],
    pick,
  };
}
