import type { Exemplar } from '../metric/exemplar.ts';
import type { Report } from './report.ts';

/** Records that a report names next to its matrix: enough for a whole matrix of ten classes. */
const MAX_CHOSEN = 300;

/**
 * Chooses the records that the report shows from those that were kept: a first of each cell before a second of any, confusions before right
 * answers, large cells before small ones. A shard keeps 300 mistakes and a run 2,000, so in a matrix with more cells the records of some
 * large cells may be missing, and another cell takes their place.
 */
export function chosenExemplars(
  { classes, confusion }: Pick<Report, 'classes' | 'confusion'>,
  kept: readonly Exemplar[],
): Exemplar[] {
  const nameOf = (place: number): string => classes[place]?.name ?? '';
  const counts = new Map(
    confusion.map(([truth, predicted, count]) => [cellName(nameOf(truth), nameOf(predicted)), count]),
  );
  const byCell = Map.groupBy(kept, ({ truth, predicted }) => cellName(truth, predicted));
  return [...byCell]
    .flatMap(([cell, records]) =>
      records.map((record, rank) => ({
        record,
        rank,
        isRight: Number(record.truth === record.predicted),
        count: counts.get(cell) ?? 0,
      })),
    )
    .sort((a, b) => a.rank - b.rank || a.isRight - b.isRight || b.count - a.count)
    .slice(0, MAX_CHOSEN)
    .map(({ record }) => record);
}

function cellName(truth: string, predicted: string): string {
  return JSON.stringify([truth, predicted]);
}
