import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Input } from '../../input/input.ts';
import { cellOf, drawOf } from '../../judging/draw.ts';
import type { RunParts } from '../../run/run-id.ts';
import { readInputs, readInputsWithCopies, writeSample } from './inputs.ts';

/**
 * Lists a run's inputs drawn in the cells before `upTo`, in the order of their names; `look` sees each. From now on, the run
 * predicts all of them.
 */
export async function writeDrawnUpTo(
  store: ObjectStore,
  run: RunParts,
  { seed, upTo }: { readonly seed: string; readonly upTo: number },
  look: (input: Input, cell: number) => void = () => undefined,
): Promise<{ readonly drawn: number }> {
  const draw = drawOf(seed);
  let drawn = 0;
  async function* chosen(): AsyncGenerator<Input> {
    for await (const input of readInputsWithCopies(store, run)) {
      const cell = cellOf(draw(input.name));
      if (cell >= upTo) continue;
      drawn += 1;
      look(input, cell);
      yield input;
    }
  }
  await writeSample(store, run, chosen());
  return { drawn };
}

/** The listed inputs of a run that were drawn in the cells from `from` on, in the order of their names. */
export async function* readDrawnFrom(
  store: ObjectStore,
  run: RunParts,
  { seed, from }: { readonly seed: string; readonly from: number },
): AsyncGenerator<Input> {
  const draw = drawOf(seed);
  for await (const input of readInputs(store, run)) if (cellOf(draw(input.name)) >= from) yield input;
}
