import { random } from '../../test/support/random.ts';

/** Draws from a seed, the same on every machine. */
export class Chance {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = random(seed);
  }

  /** A whole number in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  happens(share: number): boolean {
    return this.#next() < share;
  }

  oneOf<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  /** Small numbers most often, and now and then one up to the limit. */
  size(limit: number): number {
    return this.below(2 ** this.below(Math.floor(Math.log2(limit)) + 1)) + 1;
  }
}
