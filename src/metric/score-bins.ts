/** The smallest probability told apart from zero is 2^-32. */
const OCTAVES = 32;
const LOWEST_EXPONENT = 1023 - OCTAVES;

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
/** Index of a double's upper word: 1 on the little-endian machines that everything runs on today. */
const UPPER = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

/** Bins of probabilities that are finest near 0 and 1, where a classifier's scores lie. */
export interface ScoreBins {
  readonly length: number;
  readonly indexOf: (probability: number) => number;
}

/**
 * Bins for one-vs-rest curves: each octave of p below one half, and of 1 − p above it, is cut into equal parts.
 * Fewer classes leave room for finer bins; all shards of a run have the same.
 */
export function scoreBins(classes: number): ScoreBins {
  const bits = classes <= 20 ? 8 : classes <= 100 ? 6 : classes <= 300 ? 4 : 3;
  const shift = 20 - bits;
  const base = (LOWEST_EXPONENT << bits) - 1;
  const half = ((OCTAVES - 1) << bits) + 2;
  const lower = (probability: number): number => {
    float[0] = probability;
    return Math.max(0, ((words[UPPER] ?? 0) >>> shift) - base);
  };
  return {
    length: 2 * half,
    indexOf: (probability) => {
      if (probability < 0.5) return probability > 0 ? lower(probability) : 0;
      return 2 * half - 1 - (probability < 1 ? lower(1 - probability) : 0);
    },
  };
}
