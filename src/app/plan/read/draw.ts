import { hash } from 'node:crypto';
import type { Frozen } from '../../../drop/frozen.ts';
import type { PickInputs } from '../../../plan/found.ts';
import type { DrawnRounds, DrawnSample } from '../../../plan/plan.ts';
import type { Problem } from '../../../problem/problem.ts';
import { formatGeneration, parseGeneration } from '../../../run/generation.ts';
import { type RunParts, toRunId } from '../../../run/run-id.ts';

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
