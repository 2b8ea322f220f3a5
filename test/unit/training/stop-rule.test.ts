import { expect, test } from 'vitest';
import { readsMetrics } from '../../../src/training/log-metrics.ts';
import { reasonOfMetrics, stopTexts, watchLines } from '../../../src/training/stop-rule.ts';

const read = readsMetrics([
  { name: 'loss', regex: 'loss: ([0-9.]+)' },
  { name: 'recall', regex: 'recall: ([0-9.]+)' },
]);
const OFF = { nan: true, metric: null, mode: null, patience: 5 } as const;
const EARLY = { ...OFF, metric: 'loss', mode: 'min', patience: 2 } as const;
type Stop = Parameters<typeof reasonOfMetrics>[1];

/** Lines a second apart, and why they stop a training. */
const reasonOf = (texts: readonly string[], stop: Stop) =>
  reasonOfMetrics(
    watchLines(
      undefined,
      texts.map((text, at) => ({ at: new Date(at * 1000), text })),
      read,
      stop,
    ),
    stop,
  );
const losses = (...values: readonly unknown[]) => values.map((value) => `loss: ${value}`);

const NAN =
  'training.stop.nan: loss was NaN 3 times in a row. Lower the learning rate or check the data, then train anew: checkpoints may hold NaN';

test.each([
  ['a number, then NaN three times', losses(1, 'nan', 'NaN', '-nan'), NAN],
  ['NaN from the first line on', losses('nan', 'nan', 'nan'), NAN],
  ['NaN twice', losses(1, 'nan', 'nan'), undefined],
  ['NaN three times, not in a row', losses(1, 'nan', 'nan', 2, 'nan'), undefined],
  ['infinity, which a training leaves again', losses(1, 'inf', 'inf', 'inf'), undefined],
  ['a metric that is NaN for good beside one that is not', Array(9).fill('loss: 1 recall: nan'), undefined],
  ['every metric NaN for good', Array(3).fill('loss: nan recall: nan'), NAN],
  ['no metric', ['epoch 1'], undefined],
])('%s', (_, texts, reason) => {
  expect(reasonOf(texts, OFF)).toBe(reason);
  expect(reasonOf(texts, { ...OFF, nan: false })).toBeUndefined();
});

const WORSE = (best: number) => `training.stop: none of the last 2 values of loss was better than ${best}`;

test.each([
  ['two values no better than the best', losses(3, 1, 1, 2), 'min', WORSE(1)],
  ['a better one between them', losses(3, 1, 2, 0.5), 'min', undefined],
  ['NaN is no better', losses(1, 'nan', 2), 'min', WORSE(1)],
  ['NaN before the first number counts for nothing', losses('nan', 'nan', 1), 'min', undefined],
  ['higher is better', losses(1, 2, 3), 'max', undefined],
  ['higher is better, and it falls', losses(3, 2, 3), 'max', WORSE(3)],
  ['another metric', Array(9).fill('recall: 1'), 'min', undefined],
] as const)('patience: %s', (_, texts, mode, reason) => {
  expect(reasonOf(texts, { ...EARLY, mode })).toBe(reason);
});

test('lines of one log give the same, however often and in whichever pieces they are read', () => {
  // Several lines of one time, among which a piece may end.
  const lines = losses(3, 2, 1, 5, 'nan', 'nan', 4, 6).map((text, at) => ({
    at: new Date(Math.floor(at / 3) * 1000),
    text,
  }));
  const whole = watchLines(undefined, lines, read, EARLY);
  for (let cut = 1; cut < lines.length; cut++) {
    const first = watchLines(undefined, lines.slice(0, cut), read, EARLY);
    const since = lines.filter(({ at }) => at >= new Date(first.at));
    expect(watchLines(first, since, read, EARLY)).toEqual(whole);
  }
  expect(whole).toMatchObject({ best: 1, sinceBest: 5, lines: 2 });
});

test('what may stop a job is said in words', () => {
  expect(stopTexts(EARLY)).toEqual([
    'stops if a metric is NaN 3 times in a row',
    'stops after 2 values of loss without a better one',
  ]);
  expect(stopTexts({ ...OFF, nan: false })).toEqual([]);
});
