import type { GateSettings } from './gate-settings.ts';
import { MIN_SLICE_INPUTS } from './slice-settings.ts';

/** Bounds of recall by class, each with the records that it needs; the asterisk stands for every other class. */
export function recallByClass(
  minRecall: GateSettings['minRecall'],
): Readonly<Record<string, { readonly minRecall: number; readonly minInputs: number }>> {
  const byName = typeof minRecall === 'number' ? { '*': minRecall } : (minRecall ?? {});
  return Object.fromEntries(
    Object.entries(byName).map(([name, bound]) => [
      name,
      typeof bound === 'number'
        ? { minRecall: bound, minInputs: MIN_SLICE_INPUTS }
        : { minRecall: bound.minRecall, minInputs: bound.minInputs ?? MIN_SLICE_INPUTS },
    ]),
  );
}
