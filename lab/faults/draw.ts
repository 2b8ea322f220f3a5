import { random } from '../../test/support/random.ts';

/** Draws of one seed. */
export interface Draw {
  /** 0 ≤ x < 1. */
  readonly chance: () => number;
  /** A whole number, both limits included. */
  readonly draw: (from: number, to: number) => number;
  readonly oneOf: <T>(from: readonly T[]) => T;
}

export function drawsFrom(seed: number): Draw {
  const chance = random(seed);
  const draw: Draw['draw'] = (from, to) => from + Math.floor(chance() * (to - from + 1));
  return { chance, draw, oneOf: (from) => from[draw(0, from.length - 1)]! };
}
