import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CellRecord, Exemplars } from '../../../src/judging/cell-exemplars.ts';
import { compareByteOrder } from '../../../src/text/byte-order.ts';

const order = (a: CellRecord, b: CellRecord) =>
  a.draw - b.draw || compareByteOrder(a.key, b.key) || a.recordIndex - b.recordIndex || a.cell - b.cell;

/** The three first of each cell; of these, by rank and draw, as many as there is room for. */
function byDefinition(records: readonly CellRecord[], limit: number): CellRecord[] {
  const unique = [...new Map(records.map((each) => [JSON.stringify(each), each])).values()];
  const ranked = [...Map.groupBy(unique.sort(order), ({ cell }) => cell).values()].flatMap((cell) =>
    cell.slice(0, 3).map((record, rank) => ({ record, rank })),
  );
  return ranked
    .sort((a, b) => a.rank - b.rank || order(a.record, b.record))
    .slice(0, limit)
    .map(({ record }) => record)
    .sort(order);
}

const record = fc.record({
  cell: fc.nat(7),
  draw: fc.nat(30),
  key: fc.string({ maxLength: 2 }),
  recordIndex: fc.nat(2),
});

test('any tree of merges, with repeats, gives what the definition gives', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(record, fc.nat(5)), { maxLength: 70 }),
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
      (drawn, limit, merges) => {
        const parts = Array.from({ length: 6 }, () => new Exemplars<CellRecord>(limit));
        for (const [each, part] of [...drawn, ...drawn.slice(0, 5)]) parts[part]?.add(each);
        for (const [, at] of merges.entries()) {
          const [into] = parts.splice(at % parts.length, 1);
          const from = parts.pop();
          into?.merge(from?.list() ?? []);
          if (into !== undefined) parts.push(into);
        }
        const [whole] = parts;
        expect(whole?.list()).toEqual(
          byDefinition(
            drawn.map(([each]) => each),
            limit,
          ),
        );
      },
    ),
    { numRuns: 2000 },
  );
});

test('three records of a cell are kept, those with the smallest draws', () => {
  const kept = new Exemplars<CellRecord>();
  for (let draw = 9; draw >= 0; draw--) kept.add({ cell: 1, draw, key: `${draw}`, recordIndex: 0 });
  expect(kept.list().map(({ draw }) => draw)).toEqual([0, 1, 2]);
});
