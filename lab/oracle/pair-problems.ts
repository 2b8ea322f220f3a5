import { mcnemar } from '../../src/metric/mcnemar.ts';
import { pairedChange } from '../../src/metric/paired-change.ts';
import { wilsonInterval } from '../../src/metric/wilson-interval.ts';
import { random } from '../../test/support/random.ts';

/** Random counts of paired records, and this program's results for them. */
export function* pairProblems(times: number): Generator<unknown> {
  const next = random(2_026);
  const upTo = (most: number): number => Math.floor(next() ** 2 * (most + 1));
  for (let time = 0; time < times; time++) {
    // From a handful of records to ten million, with cells that are empty now and then.
    const size = 10 ** (1 + (time % 7));
    const cells = {
      bothRight: upTo(size),
      lost: time % 11 === 0 ? 0 : upTo(size / 4),
      gained: time % 13 === 0 ? 0 : upTo(size / 4),
      bothWrong: time % 17 === 0 ? 0 : upTo(size / 2),
    };
    const records = cells.bothRight + cells.lost + cells.gained + cells.bothWrong;
    yield {
      pairs: cells,
      test: mcnemar(cells.lost, cells.gained),
      change: pairedChange(cells) ?? null,
      wilson: wilsonInterval(cells.bothRight, records) ?? null,
    };
  }
}
