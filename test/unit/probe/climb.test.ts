import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Candidate,
  climb,
  mostTrials,
  type TrialSettings,
  type Tried,
} from '../../../src/probe/climb.ts';

const candidate: Candidate = {
  name: 'ml.m5.xlarge',
  first: { instanceTypes: ['ml.m5.xlarge'], maxConcurrentTransforms: 1, maxPayloadInMB: 2 },
  axes: [
    { field: 'maxConcurrentTransforms', most: ({ maxPayloadInMB = 1 }) => Math.floor(100 / maxPayloadInMB) },
    {
      field: 'maxPayloadInMB',
      most: ({ maxConcurrentTransforms }) => Math.floor(100 / maxConcurrentTransforms),
    },
  ],
};

/** Climbs by a function of the speed; null where a trial fails. */
function climbed(speed: (settings: TrialSettings) => number | null, from = candidate) {
  const tried: Tried[] = [];
  for (;;) {
    const step = climb(from, tried);
    if ('best' in step) return { tried: tried.map(({ settings }) => settings), best: step.best?.settings };
    tried.push({ settings: step.next, inputsPerSecond: speed(step.next) });
  }
}
const numbers = ({ maxConcurrentTransforms, maxPayloadInMB }: TrialSettings) => [
  maxConcurrentTransforms,
  maxPayloadInMB,
];

describe('a climb', () => {
  test('doubles the requests until twice as many are no tenth faster, then the payload', () => {
    const { tried, best } = climbed(
      ({ maxConcurrentTransforms: c, maxPayloadInMB: p = 1 }) => Math.min(c, 4) * 10 + Math.min(p, 4) * 5,
    );
    expect(tried.map(numbers)).toEqual([
      ...[
        [1, 2],
        [2, 2],
        [4, 2],
        [8, 2],
      ],
      ...[
        [4, 4],
        [4, 8],
      ],
    ]);
    expect(numbers(best!)).toEqual([4, 4]);
  });

  test('a gain below a tenth is not worth more requests at once', () => {
    const { best } = climbed(({ maxConcurrentTransforms: c }) => 100 + c);
    expect(best!.maxConcurrentTransforms).toBe(1);
  });

  test('settings that fail end a climb, and are not chosen', () => {
    const { best } = climbed(({ maxConcurrentTransforms: c }) => (c > 2 ? null : c * 10));
    expect(best!.maxConcurrentTransforms).toBe(2);
    expect(climbed(() => null)).toMatchObject({ best: undefined, tried: [candidate.first] });
  });

  test('whatever the speeds, it stops within its bound, and stays within 100 MB on an instance', () => {
    fc.assert(
      fc.property(fc.func(fc.option(fc.double({ min: 0.01, max: 1e5, noNaN: true }))), (speed) => {
        const { tried } = climbed((settings) => speed(...numbers(settings)));
        expect(tried.length).toBeLessThanOrEqual(mostTrials(candidate));
        for (const { maxConcurrentTransforms: c, maxPayloadInMB: p = 1 } of tried)
          expect(c * p).toBeLessThanOrEqual(100);
      }),
    );
  });
});
