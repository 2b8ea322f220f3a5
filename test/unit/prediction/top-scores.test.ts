import fc from 'fast-check';
import { expect, test } from 'vitest';
import { topScores } from '../../../src/prediction/top-scores.ts';

test('the k best are those that sorting puts first, the lower index before an equal score', () => {
  const scores = fc.array(fc.constantFrom(-Infinity, -1, 0, 0.25, 0.5, 1, Infinity), { maxLength: 12 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 15 }), (all, k) => {
      const sorted = all
        .map((score, index) => ({ score, index }))
        .sort((a, b) => (a.score === b.score ? a.index - b.index : a.score > b.score ? -1 : 1));
      expect(topScores(all, k)).toEqual(sorted.slice(0, k).map(({ index }) => index));
    }),
  );
});
