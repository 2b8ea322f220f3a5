import { describe, expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import type { ScoringPlan } from '../../../src/plan/scoring-plan.ts';
import { Report } from '../../../src/report/report.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { planWith, reconciledRun, type RunInput, runKeys } from '../../support/report-run.ts';

const clock = () => new Date('2026-11-21T10:05:00.000Z');
const logs = memoryEngineLogs();
const startedAt = '2026-11-21T10:00:00.000Z';
const TRAINING = runKeys('training/shapes/tuesday/000001');

const input = (name: string, ...scores: number[]): RunInput => ({
  name: `${name}.png`,
  output: JSON.stringify({ predictions: [scores] }),
  etag: name,
});

async function judge(
  inputs: readonly RunInput[],
  {
    plan = {},
    setAside = [],
    perShard = 2,
  }: { plan?: Partial<ScoringPlan>; setAside?: object[]; perShard?: number } = {},
) {
  const { store, shards } = reconciledRun(inputs, {
    perShard,
    plan: { ...plan, setAside: setAside.length > 0 ? bucketLayout.setAside(TRAINING) : null },
  });
  store.put(
    bucketLayout.setAside(TRAINING),
    JSON.stringify({ schema: 1, contents: setAside, incumbents: [] }),
  );
  for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
  await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(runKeys()))!));
  return { report, store, csv: store.text(bucketLayout.suspectLabels(runKeys())) };
}

// Thresholds: circle (0.9 + 0.7 + 0.05 + 0.35) / 4 = 0.5, square (0.8 + 0.6) / 2 = 0.7, star 0.4.
const DROP = [
  input('1-circle', 0.9, 0.05, 0.05),
  input('2-circle', 0.7, 0.2, 0.1),
  // A square as sure as squares are: worth a look.
  input('3-circle', 0.05, 0.9, 0.05),
  // Not as sure.
  input('4-circle', 0.35, 0.6, 0.05),
  input('5-square', 0.1, 0.8, 0.1),
  input('6-square', 0.1, 0.6, 0.3),
  // Worth a look by the circle, and less far behind.
  input('7-star', 0.55, 0.05, 0.4),
];

describe('mistakes with a label worth a look', () => {
  test('are found by the thresholds of all shards, the label that fits least first', async () => {
    const { report, csv } = await judge(DROP);
    expect(report.suspectLabels).toEqual({
      labeled: 7,
      correct: 4,
      leftOut: 0,
      mistakes: 3,
      suspects: 2,
      undecided: 0,
      accuracy: 4 / 7,
      accuracyAtMost: 6 / 7,
      first: [
        expect.objectContaining({ truth: 'circle', predicted: 'square', confidence: 0.9, truthScore: 0.05 }),
        expect.objectContaining({ truth: 'star', predicted: 'circle', confidence: 0.55, truthScore: 0.4 }),
      ],
    });
    expect(csv?.split('\r\n')).toEqual([
      'key,record_index,line,id,label,looks_like,score,label_score,margin',
      expect.stringMatching(/^incoming\/shapes\/monday\/3-circle\.png,0,,,circle,square,0\.9,0\.05,0\.075/),
      expect.stringMatching(/^incoming\/shapes\/monday\/7-star\.png,0,,,star,circle,0\.55,0\.4,0\.42/),
      '',
    ]);
  });

  test('are the same however the run is cut into shards', async () => {
    const one = await judge(DROP, { perShard: 100 });
    const many = await judge(DROP, { perShard: 1 });
    expect(many.report.suspectLabels).toEqual(one.report.suspectLabels);
    expect(many.csv).toBe(one.csv);
  });

  test('stand on the page, in the summary and in no stronger words', async () => {
    // 40 right circles, 10 right squares and 10 right stars more: enough to speak of the labels in a summary.
    const more = (name: string, count: number, ...scores: number[]): RunInput[] =>
      Array.from({ length: count }, (_, at) => input(`${10 + at}-${name}`, ...scores));
    const { store } = await judge(
      [
        ...DROP,
        ...more('circle', 40, 0.9, 0.05, 0.05),
        ...more('square', 10, 0.1, 0.8, 0.1),
        ...more('star', 10, 0.1, 0.1, 0.8),
      ],
      { perShard: 100 },
    );
    const page = store.text(bucketLayout.reportHtml(runKeys()));
    expect(store.text(bucketLayout.summary(runKeys()))).toContain(
      '- Labels: 1 worth a look (of 3 mistakes)\n',
    );
    expect(page).toContain(
      '1 mistake with a label worth a look: accuracy is 95.5% by the labels, at most 97.0% if every one of these ' +
        'labels is wrong and the model right; only a review can tell.',
    );
    expect(page).not.toMatch(/wrong labels?\b(?! that the model shares)/);
  });

  test('are no words of a summary where the model is weak and classes are small', async () => {
    const { store } = await judge(DROP);
    expect(store.text(bucketLayout.summary(runKeys()))).not.toContain('worth a look');
    expect(store.text(bucketLayout.reportHtml(runKeys()))).toContain(
      '2 mistakes with a label worth a look: accuracy is 57.1% by the labels.',
    );
  });

  test('do not include what the model was trained on', async () => {
    const { report } = await judge(DROP, { setAside: [{ etag: '7-star', size: 1 }] });
    expect(report.suspectLabels).toMatchObject({
      labeled: 6,
      correct: 4,
      leftOut: 1,
      mistakes: 2,
      suspects: 1,
    });
    expect(report.suspectLabels?.first.map(({ key }) => key)).toEqual([
      'incoming/shapes/monday/3-circle.png',
    ]);
  });

  test('are unknown without probabilities of all classes, and without labels', async () => {
    const logits = await judge([input('1-circle', 4, 1, 2), input('2-circle', -4, 1, 2)]);
    expect(logits.report.suspectLabels).toBeNull();
    expect(logits.csv).toBeUndefined();
    const { labels } = planWith();
    const unlabeled = await judge(DROP, { plan: { labels: { ...labels, truth: null } } });
    expect(unlabeled.report.suspectLabels).toBeNull();
  });
});

describe('where five scores do not tell', () => {
  const classes = Array.from({ length: 8 }, (_, at) => 'abcdefgh'[at]!);
  const plan = {
    labels: { ...planWith().labels, classes, truth: { from: 'key', pattern: '([a-h])\\.png$' } as const },
  };
  // The rare class h has a threshold of 0.03, which the sixth score of the last input reaches, and none of the first five theirs.
  const inputs = [
    input('1-a', 0.86, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02),
    input('2-h', 0.9, 0.02, 0.01, 0.01, 0.01, 0.01, 0.01, 0.03),
    ...'bcdefg'
      .split('')
      .map((name, at) => input(`3-${name}`, ...classes.map((_, index) => (index === at + 1 ? 0.93 : 0.01)))),
    input('4-g', 0.4, 0.2, 0.15, 0.1, 0.06, 0.02, 0.02, 0.05),
  ];

  test('the output is read again', async () => {
    const { report } = await judge(inputs, { plan });
    expect(report.suspectLabels).toMatchObject({ mistakes: 2, suspects: 2, undecided: 0 });
    expect(report.suspectLabels?.first.map(({ key }) => key)).toContain('incoming/shapes/monday/4-g.png');
  });

  test('an output that is gone leaves its mistake undecided, within the bound', async () => {
    const { store, shards } = reconciledRun(inputs, { perShard: 100, plan });
    for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
    store.remove(`${bucketLayout.predictions(runKeys())}4-g.png.out`);
    await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
    const { suspectLabels } = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(runKeys()))!));
    expect(suspectLabels).toMatchObject({ suspects: 1, undecided: 1, accuracyAtMost: 1 });
  });
});
