import type { GateSettings } from './gate-settings.ts';
import { MIN_SLICE_INPUTS } from './slice-settings.ts';

/** Bounds of recall by class, each with the records that it needs; the asterisk stands for every other class. */
type RecallByClass = Readonly<Record<string, { readonly minRecall: number; readonly minInputs: number }>>;

/** @param own bounds that these tighten: one that doesn't say how many records it needs asks for as many as they do */
export function recallByClass(minRecall: GateSettings['minRecall'], own: RecallByClass = {}): RecallByClass {
  const byName = typeof minRecall === 'number' ? { '*': minRecall } : (minRecall ?? {});
  return Object.fromEntries(
    Object.entries(byName).map(([name, bound]) => {
      const { minRecall: floor, minInputs } = typeof bound === 'number' ? { minRecall: bound } : bound;
      const least = (own[name] ?? own['*'])?.minInputs ?? MIN_SLICE_INPUTS;
      return [name, { minRecall: floor, minInputs: minInputs ?? least }];
    }),
  );
}
