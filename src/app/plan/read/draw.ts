import { hash } from 'node:crypto';
import type { Frozen } from '../../../drop/frozen.ts';
import type { LabelRow } from '../../../label/label-row.ts';
import type { PickInputs } from '../../../plan/found.ts';
import type { DrawnRounds, DrawnSample } from '../../../plan/plan.ts';
import type { Problem } from '../../../problem/problem.ts';
import { formatGeneration, parseGeneration } from '../../../run/generation.ts';
import { type RunParts, toRunId } from '../../../run/run-id.ts';
import { compareByteOrder } from '../../../text/byte-order.ts';

/** The label of an input by its name; ask for names in order. */
export type LabelInOrder = (name: string) => string | undefined | Promise<string | undefined>;

/** The lottery of a run, before its inputs have been looked at. */
export interface Draw {
  /** Null for all inputs. */
  readonly pick: PickInputs | null;
  readonly rounds?: DrawnRounds;
  readonly problems: readonly Problem[];
  /** Counts what `pick` has yielded in a whole pass, or null for all inputs. */
  sample(): DrawnSample | null;
}

/** A run that predicts all of its inputs. */
export const ALL: Draw = { pick: null, problems: [], sample: () => null };

/**
 * Seed of the lottery of a manifest, of the generation without its repetition and its slices. Their names are drawn
 * when the drop is frozen, so that an uploader cannot choose names of files that will be drawn; all runs of the
 * manifest have the same.
 */
export function seedOf(run: RunParts, { manifestSlices }: Pick<Frozen, 'manifestSlices'>): string {
  const number = parseGeneration(run.generation)?.number ?? Number.NaN;
  const generation = toRunId({ ...run, generation: formatGeneration(number) });
  return hash('sha256', [generation, ...manifestSlices.map(({ object }) => object)].join('\n'));
}

/** Reads labels from sorted rows, in one pass. Of several rows for one input the last counts, as it does in scoring. */
export function labelsInOrder(batches: AsyncIterator<readonly LabelRow[]>): LabelInOrder {
  let rows: readonly LabelRow[] = [];
  let at = 0;
  const head = async (): Promise<LabelRow | undefined> => {
    while (at === rows.length) {
      const next = await batches.next();
      if (next.done === true) return undefined;
      [rows, at] = [next.value, 0];
    }
    return rows[at];
  };
  return async (name) => {
    let label: string | undefined;
    for (let row = await head(); row !== undefined; row = await head()) {
      const order = compareByteOrder(row.key, name);
      if (order > 0) break;
      if (order === 0) label = row.label;
      at += 1;
    }
    return label;
  };
}
