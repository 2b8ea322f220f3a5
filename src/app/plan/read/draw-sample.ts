import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { Frozen } from '../../../drop/frozen.ts';
import type { Input } from '../../../input/input.ts';
import { drawOf } from '../../../judging/draw.ts';
import { LeastDraws, proportionalDraws } from '../../../judging/least-draws.ts';
import type { SampleSettings } from '../../../pipeline/sample-settings.ts';
import type { PickInputs } from '../../../plan/found.ts';
import type { SampleFile } from '../../../plan/judge/sample-problems.ts';
import type { Problem } from '../../../problem/problem.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { readAllInputs } from '../../records/inputs.ts';
import { ALL, type Draw, type LabelInOrder, seedOf } from './draw.ts';

/** Each stratum has at least two draws. */
const DRAWS_OF_STRATUM = 2;

/** The request for a sample, and the names of its strata. */
interface AskedSample extends SampleSettings {
  readonly file: SampleFile;
  readonly frozen: Pick<Frozen, 'manifestSlices'>;
  /** Opens the names of the strata, for one pass over the manifest. */
  readonly strata: () => LabelInOrder;
}

/**
 * Draws from the inputs of a run. Every run of the manifest draws the same, in whatever order it's listed: those with the least draws.
 * Memory holds a number for each. Null if there are no more inputs than the sample asks for.
 */
export async function drawSample(
  store: ObjectStore,
  run: RunParts,
  { inputs, by, file, frozen, strata }: AskedSample,
): Promise<Draw | null> {
  const asked = by === 'none' ? () => () => undefined : strata;
  const all = (): AsyncIterable<Input> => readAllInputs(store, run);
  const seed = seedOf(run, frozen);
  const draw = drawOf(seed);
  const most = Math.floor(inputs / DRAWS_OF_STRATUM);
  const totals = await countStrata(all(), asked(), most);
  if (totals === 'too-many') {
    const message =
      `must be at least twice the ${by === 'class' ? 'labels' : 'folders'} of the drop, more than ${most}, is ` +
      `${inputs}: ask for more, or set sample.by to "none"`;
    return refusedSample({ file, field: 'sample.inputs', value: String(inputs), message });
  }
  const of = totals.values().reduce((sum, count) => sum + count, 0);
  if (inputs >= of) return null;
  const open = by === 'folder' ? withoutSmall(totals, { asked, inputs, of }) : asked;
  const counts = proportionalDraws([...totals.values()], inputs);
  const least = new Map([...totals.keys()].map((name, at) => [name, new LeastDraws(counts[at] ?? 0)]));
  const stratum = open();
  for await (const { name } of all()) least.get(await stratum(name))?.add(draw(name));

  const drawn = new Map<string | undefined, number>();
  const pick: PickInputs = async function* (inputsOf) {
    drawn.clear();
    const again = open();
    for await (const input of inputsOf) {
      const name = await again(input.name);
      if (draw(input.name) > (least.get(name)?.bound ?? -1)) continue;
      drawn.set(name, (drawn.get(name) ?? 0) + 1);
      yield input;
    }
  };
  const sample: Draw['sample'] = () => ({
    inputs: drawn.values().reduce((sum, count) => sum + count, 0),
    of,
    by,
    file,
    seed,
    classes: [...drawn].flatMap(([label, count]) =>
      by === 'class' && label !== undefined ? [{ label, inputs: count, of: totals.get(label) ?? count }] : [],
    ),
  });
  return { sample, pick, problems: [] };
}

/** A draw that a wrong setting prevents. */
export function refusedSample(problem: Problem): Draw {
  return { ...ALL, problems: [problem] };
}

/**
 * Merges the folders with a share below two draws into one stratum. No figure is weighted by folder, so each must get exactly its
 * share: two draws from each of many small folders would drown a large one.
 */
function withoutSmall(
  totals: Map<string | undefined, number>,
  { asked, inputs, of }: { readonly asked: () => LabelInOrder; readonly inputs: number; readonly of: number },
): () => LabelInOrder {
  const small = new Set<string | undefined>();
  for (const [name, total] of totals) if ((inputs * total) / of < DRAWS_OF_STRATUM) small.add(name);
  const counts = [...small].reduce((sum, name) => sum + (totals.get(name) ?? 0), 0);
  for (const name of small) totals.delete(name);
  if (small.size > 0) totals.set(undefined, counts + (totals.get(undefined) ?? 0));
  return () => {
    const stratum = asked();
    return async (input) => {
      const name = await stratum(input);
      return small.has(name) ? undefined : name;
    };
  };
}

async function countStrata(
  inputs: AsyncIterable<Input>,
  stratum: LabelInOrder,
  most: number,
): Promise<Map<string | undefined, number> | 'too-many'> {
  const totals = new Map<string | undefined, number>();
  for await (const input of inputs) {
    const name = await stratum(input.name);
    totals.set(name, (totals.get(name) ?? 0) + 1);
    if (totals.size > most && totals.size > 1) return 'too-many';
  }
  return totals;
}
