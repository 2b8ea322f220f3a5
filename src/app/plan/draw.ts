import type { PickInputs } from '../../plan/found.ts';
import type { DrawnRounds, DrawnSample } from '../../plan/plan.ts';
import type { Problem } from '../../problem/problem.ts';

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
