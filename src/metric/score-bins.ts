/** The smallest probability distinguished from zero is 2^-32. */
const OCTAVES = 32;
const LOWEST_EXPONENT = 1023 - OCTAVES;

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
/** Index of a double's upper word: 1 on little-endian machines. */
const UPPER = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;
/** Upper word of 0.5; smaller probabilities have a smaller upper word. */
const HALF = 0x3fe00000;

/**
 * Bins of probabilities for one-vs-rest curves, finest near 0 and 1, the usual place of a classifier's scores: each octave of p
 * below one half, and of 1 − p above it, is cut into equal parts. Fewer classes leave room for finer bins; all shards of a run have
 * the same bins.
 */
export class ScoreBins {
  readonly length: number;
  readonly #shift: number;
  readonly #base: number;

  constructor(classes: number) {
    const bits = classes <= 20 ? 8 : classes <= 100 ? 6 : classes <= 300 ? 4 : 3;
    this.#shift = 20 - bits;
    this.#base = (LOWEST_EXPONENT << bits) - 1;
    this.length = 2 * (((OCTAVES - 1) << bits) + 2);
  }

  indexOf(probability: number): number {
    if (probability < 0.5) return probability > 0 ? this.#lower(probability) : 0;
    return this.length - 1 - (probability < 1 ? this.#lower(1 - probability) : 0);
  }

  /** Writes the bin of each score to `places`, from index `at` on. */
  place(scores: ArrayLike<number>, places: Uint16Array, at: number): void {
    const shift = this.#shift;
    const base = this.#base;
    for (let index = 0; index < scores.length; index++) {
      const score = scores[index] ?? 0;
      float[0] = score;
      const upper = words[UPPER] ?? 0;
      // Nearly all scores are below one half.
      places[at + index] = upper < HALF ? Math.max(0, (upper >>> shift) - base) : this.indexOf(score);
    }
  }

  #lower(probability: number): number {
    float[0] = probability;
    return Math.max(0, ((words[UPPER] ?? 0) >>> this.#shift) - this.#base);
  }
}
