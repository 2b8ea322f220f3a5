import { hash } from 'node:crypto';

const BYTES = 6;

/**
 * A lottery that gives each name a number, 0 … 1, the same for the same seed on every machine and in every order: the names with the n
 * smallest numbers are a random sample of n. 48 bits of SHA-256.
 */
export function drawOf(seed: string): (name: string) => number {
  return (name) => hash('sha256', `${seed}\n${name}`, 'buffer').readUIntBE(0, BYTES) / 2 ** (8 * BYTES);
}

/**
 * Cells of equal width that the numbers of the lottery fall into. A round is a whole number of cells, and the answers of a cell are one
 * batch of the bets, so that the evidence is the same in whatever rounds and shards the answers came.
 */
export const DRAW_CELLS = 1_000;

/** The cell of a draw, 0 … 999. */
export function cellOf(draw: number): number {
  return Math.floor(draw * DRAW_CELLS);
}

/** Cells, of some that hold `total` inputs, that hold about `inputs` of them; at least one, and all for all. */
export function cellsFor(inputs: number, total: number, cells = DRAW_CELLS): number {
  return Math.min(cells, Math.max(1, Math.ceil((inputs / total) * cells)));
}
