import { hash } from 'node:crypto';

const BYTES = 6;

/**
 * A lottery that gives each name a number, 0 … 1, the same for the same seed on every machine and in every order: the names with the n
 * smallest numbers are a random sample of n. 48 bits of SHA-256.
 */
export function drawOf(seed: string): (name: string) => number {
  return (name) => hash('sha256', `${seed}\n${name}`, 'buffer').readUIntBE(0, BYTES) / 2 ** (8 * BYTES);
}
