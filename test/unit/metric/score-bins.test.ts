import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScoreBins } from '../../../src/metric/score-bins.ts';
import { ScoreHistograms } from '../../../src/metric/tally.ts';

test.each([2, 50, 200, 1000])(
  'bins for %d classes rise with the probability and hold both ends',
  (classes) => {
    const bins = new ScoreBins(classes);
    expect(bins.indexOf(0)).toBe(0);
    expect(bins.indexOf(1)).toBe(bins.length - 1);
    const probability = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 60, noNaN: true }).map((e) => 2 ** -e),
    );
    fc.assert(
      fc.property(probability, probability, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const [from, to] = [bins.indexOf(low), bins.indexOf(high)];
        return from <= to && from >= 0 && to < bins.length;
      }),
      { numRuns: 2000 },
    );
  },
);

test.each([2, 1000])(
  'each score of a record is placed in the bin it belongs to, of %d classes',
  (classes) => {
    const bins = new ScoreBins(classes);
    const score = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 60, noNaN: true }).map((e) => 2 ** -e),
      fc.constantFrom(0, -0, 0.5, 1, Number.MIN_VALUE, 0.5 - 2 ** -54, 1 - 2 ** -53),
    );
    fc.assert(
      fc.property(fc.array(score, { maxLength: 9 }), (scores) => {
        const places = new Uint16Array(scores.length + 1);
        bins.place(Float64Array.from(scores), places, 1);
        expect([...places.subarray(1)]).toEqual(scores.map((each) => bins.indexOf(each)));
      }),
    );
  },
);

test.each([2, 1000])('histograms of %d classes count every record, when asked and after', (classes) => {
  const bins = new ScoreBins(classes);
  const histograms = new ScoreHistograms(bins, classes);
  const scores = Float64Array.from({ length: classes }, (_, index) => (index % 7) / 7);
  let records = 0;
  for (const more of [1, 70, 3]) {
    for (let record = 0; record < more; record++) histograms.add(scores);
    records += more;
    const { counts } = histograms;
    for (const index of [0, 1, classes - 1])
      expect(counts[index * bins.length + bins.indexOf(scores[index]!)]).toBe(records);
    expect(counts.reduce((sum, times) => sum + times, 0)).toBe(records * classes);
  }
});
