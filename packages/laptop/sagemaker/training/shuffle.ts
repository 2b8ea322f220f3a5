import { createHash } from 'node:crypto';

/** The items in an order of their own for each seed and epoch, the same on every host and machine. */
export function shuffled<T>(items: readonly T[], seed: number, epoch: number): readonly T[] {
  return items
    .map((item, index) => ({
      item,
      rank: createHash('sha256').update(`${seed}/${epoch}/${index}`).digest('hex'),
    }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ item }) => item);
}
