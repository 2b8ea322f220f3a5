import type { Choice } from '../../init/choice.ts';
import type { LabeledInput } from './measure-model.ts';

/** Where the truth is, and the labels that it gives. */
export interface FoundTruth {
  readonly choices: readonly Choice[];
  /** Labels of the files or rows that were read; empty if they aren't known yet. */
  readonly labels: readonly string[];
  readonly measured: readonly LabeledInput[];
}
