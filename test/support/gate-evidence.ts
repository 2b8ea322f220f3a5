import type { Evidence } from '../../src/gate/evidence.ts';

/** Evidence of so many labeled inputs, all answered, of which so many are right. */
export function evidence(right: number, count: number, more: Partial<Evidence> = {}): Evidence {
  return {
    noun: 'input',
    whole: { right, count },
    classes: new Map(),
    slices: [],
    answered: { right: count, count },
    labeled: { labeled: count, distinct: count },
    uncounted: 0,
    ...more,
  };
}

/** Inputs that a run shares with its baseline. */
export function against(
  gained: number,
  lost: number,
  count: number,
  isDoubted = false,
): Pick<Evidence, 'change' | 'baseline'> {
  return { change: { gained, lost, count }, baseline: { run: 'birds/friday/000001', isDoubted } };
}

/** Right answers by class, as `[name, right, count]`. */
export function classes(...counts: readonly (readonly [string, number, number])[]): Evidence['classes'] {
  return new Map(counts.map(([name, right, count]) => [name, { right, count }]));
}

/** Right answers by the values of a dimension. */
export function slices(
  name: string,
  ...counts: readonly (readonly [string | null | undefined, number, number])[]
): Evidence['slices'] {
  return counts.map(([value, right, count]) => ({ name, value, count: { right, count } }));
}
