import { cellPairs } from '../../judging/cell-counts.ts';
import { cellOf, drawOf } from '../../judging/draw.ts';
import type { PairCounts } from '../../judging/drawn-batches.ts';
import type { PairedCells } from '../../metric/paired-change.ts';
import type { ShardEntry } from '../records/reconciled.ts';
import type { ShardTally } from '../records/scoring.ts';

const KIND = {
  bothRight: 'same',
  bothWrong: 'same',
  gained: 'gained',
  lost: 'lost',
} as const satisfies Record<keyof PairedCells, keyof PairCounts>;

/**
 * Counts the inputs of a shard against the baseline by the cell that each was drawn in.
 *
 * @param seed of the lottery
 * @param judged which run was right, by name, of the inputs that both have answered; the others are missing
 */
export function drawnPairs(
  seed: string,
  entries: Iterable<ShardEntry>,
  judged: ReadonlyMap<string, keyof PairedCells>,
): NonNullable<ShardTally['pairedDraws']> {
  const draw = drawOf(seed);
  const counts = cellPairs();
  for (const { name } of entries) {
    const cell = judged.get(name);
    counts.add(cellOf(draw(name)), cell === undefined ? 'missing' : KIND[cell]);
  }
  return counts.store();
}
