import { isDeepStrictEqual } from 'node:util';
import type { Trial } from '../drop/frozen.ts';

/** Least gain of twice the value that is worth further jobs. */
const LEAST_GAIN = 1.1;

/** Settings that a trial may have. */
export type TrialSettings = Trial['transform'];

/** A number of the settings that is doubled while that helps. */
export interface Axis {
  readonly field: 'maxConcurrentTransforms' | 'maxPayloadInMB';
  /** Largest value next to the other settings. */
  most(settings: TrialSettings): number;
}

/** Hardware that a probe tries: its first settings, and what it then varies, one after the other. */
export interface Candidate {
  readonly name: string;
  readonly first: TrialSettings;
  readonly axes: readonly Axis[];
}

/** Outcome of a trial; null if it failed. */
export interface Tried {
  readonly settings: TrialSettings;
  readonly inputsPerSecond: number | null;
}

/** Next step of a climb: a trial, or the end with the fastest settings; null if not even the first have worked. */
export type Step = { readonly next: TrialSettings } | { readonly best: Tried | null };

/** Doubles one number after the other until twice of it is no tenth faster, fails, or is not allowed. */
export function climb({ first, axes }: Candidate, tried: readonly Tried[]): Step {
  const resultOf = (settings: TrialSettings): Tried | undefined =>
    tried.find((one) => isDeepStrictEqual(one.settings, settings));
  let best = resultOf(first);
  if (best === undefined) return { next: first };
  if (best.inputsPerSecond === null) return { best: null };
  for (const { field, most } of axes)
    for (;;) {
      const { settings, inputsPerSecond } = best;
      const next = { ...settings, [field]: valueOf(settings, field) * 2 };
      if (valueOf(next, field) > most(settings)) break;
      const found = resultOf(next);
      if (found === undefined) return { next };
      if ((found.inputsPerSecond ?? 0) < (inputsPerSecond ?? 0) * LEAST_GAIN) break;
      best = found;
    }
  return { best };
}

/** Most trials that a candidate can take. */
export function mostTrials({ first, axes }: Candidate): number {
  return axes.reduce(
    (sum, { field, most }) => sum + Math.max(0, Math.floor(Math.log2(most(first) / valueOf(first, field)))),
    1,
  );
}

function valueOf(settings: TrialSettings, field: Axis['field']): number {
  return settings[field] ?? 1;
}
