import type { ClassQuality } from '../metric/per-class.ts';
import type { Stratum } from './sampled-share.ts';

/** A random sample of a drop's inputs, each of one record. */
export interface DropSample {
  readonly inputs: number;
  readonly of: number;
  /** Counts of each label; empty if the draw was not by class. */
  readonly classes: readonly { readonly label: string; readonly inputs: number; readonly of: number }[];
}

/** The judged records of a sample. */
interface JudgedSample {
  readonly labeled: number;
  readonly correct: number;
  readonly classes: readonly Pick<ClassQuality, 'id' | 'support' | 'correct'>[];
}

/**
 * The judged records of a sample as strata of the whole drop: its classes where it was drawn by class, else all in one. Inputs without an
 * answer or a label are left out of a stratum in the share that they have of its draws.
 *
 * @param idOf the class of a label; undefined if it is not one
 */
export function strataOfSample(
  sample: DropSample,
  { labeled, correct, classes }: JudgedSample,
  idOf: (label: string) => number | undefined,
): readonly Stratum[] {
  const whole = [
    { total: Math.round((sample.of * labeled) / sample.inputs), drawn: labeled, right: correct },
  ];
  const drawn = new Map<number, { inputs: number; of: number }>();
  for (const { label, inputs, of } of sample.classes) {
    const id = idOf(label);
    if (id === undefined) continue;
    const known = drawn.get(id);
    drawn.set(id, { inputs: inputs + (known?.inputs ?? 0), of: of + (known?.of ?? 0) });
  }
  const strata: Stratum[] = [];
  for (const { id, support, correct: right } of classes) {
    if (support === 0) continue;
    const of = drawn.get(id);
    if (of === undefined || support > of.inputs) return whole;
    strata.push({ total: Math.round((of.of * support) / of.inputs), drawn: support, right });
  }
  return strata.length === 0 ? whole : strata;
}
