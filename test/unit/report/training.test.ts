import { expect, test } from 'vitest';
import { niceTicks } from '../../../src/report/training/nice-ticks.ts';
import { promotionText } from '../../../src/report/training/promotion-text.ts';
import { trainingHtml } from '../../../src/report/training/training-html.ts';
import { trainingLines, trainingMarkdown } from '../../../src/report/training/training-markdown.ts';
import { TrainingReport } from '../../../src/report/training/training-report.ts';
import { pageWords } from '../../support/page-words.ts';

const SHA = 'a'.repeat(64);
const flip = (key: string, before: string, now: string, recordIndex = 0) => ({
  key,
  recordIndex,
  truth: 'owl',
  before,
  now,
  scoreBefore: null,
  scoreNow: null,
});
const job = (change: object = {}) => ({
  name: 'job-1',
  status: 'Completed',
  instanceType: 'ml.m5.xlarge',
  instanceCount: 2,
  billableSeconds: 90,
  costUsd: 0.05,
  failureReason: null,
  ...change,
});
const REPORT = TrainingReport.parse({
  schema: 1,
  kind: 'training',
  run: 'training/birds/monday/000001',
  program: 'inferdrop 1.0.0',
  status: 'completed',
  createdAt: '2026-11-21T10:07:31.000Z',
  startedAt: '2026-11-21T10:00:04.000Z',
  seconds: 447,
  costUsd: 0.05,
  quoteUsd: 0.2,
  failure: null,
  problems: [],
  notes: [],
  jobs: [job()],
  phases: [
    { status: 'Starting', startedAt: '2026-11-21T10:00:04.000Z', seconds: 60 },
    { status: 'Training', startedAt: '2026-11-21T10:01:04.000Z', seconds: null },
  ],
  metrics: [
    { name: 'loss', final: 0.312345, hosts: [{ host: 'algo-1', count: 3, values: [1.9, null, 0.312345] }] },
    { name: 'error', final: null, hosts: [] },
  ],
  logEnd: [],
  evaluation: null,
  promotion: null,
  lineage: {
    data: { manifest: 's3://b/m', objects: 2_000, bytes: 5_000 },
    source: null,
    image: null,
    hyperparameters: {},
    model: null,
    evaluationRun: null,
    deploy: 'never',
    runtime: null,
    packages: [],
    tags: {},
  },
});
const EVALUATION = {
  run: 'birds/monday/000001r2',
  verdict: 'passed',
  explanation: 'The gate passed.',
  accuracy: 0.8612,
  isSet: true,
  inputs: 1_000,
  costUsd: 0.02,
  against: null,
  trainedOn: { count: 0, first: [], compared: 1_000 },
  nearDuplicates: null,
  weakest: [],
  suspectLabels: 0,
} as const;
const ALIKE = { first: [{ key: 'a.png', like: 'b.jpg' }], judged: 9, trained: 99, isUnclear: false };
const AGAINST = {
  run: 'birds/monday/000001',
  accuracyBefore: 0.82,
  accuracyNow: 0.86,
  pValue: 0.0768,
  lost: 4,
  gained: 12,
  flips: [flip('a.png', 'owl', 'kite'), flip('b.png', 'kite', 'owl', 3), flip('c.png', 'kite', 'wren')],
};
const judged = (change: object = {}) => ({ evaluation: { ...EVALUATION, ...change } });
const promotion = (what: string) => ({ promotion: { promotion: what, reason: 'Because.', by: 'gate' } });
const FAILURE = { error: 'TrainingFailed', cause: 'one\ntwo', nextStep: 'Correct the script.' };

const pageOf = (change: object) => trainingHtml({ ...REPORT, ...change });
const linesOf = (change: object) => trainingLines({ ...REPORT, ...change });

test.each<[string, object, string]>([
  ['the last value of a metric', {}, '0.3123 loss, the last value of the training'],
  [
    'that no metric was read',
    { metrics: [] },
    'No metric was read from the log: training.metrics in pipeline.json',
  ],
  [
    'three metrics at most',
    { metrics: [1, 2, 3, 4].map((final) => ({ name: `m${final}`, final, hosts: [] })) },
    '1 m1, the last value of the training m2 2 m3 3 Files',
  ],
  [
    'the accuracy of the evaluation, where there is one',
    judged(),
    '86.1 % accuracy on 1,000 inputs of the evaluation .',
  ],
  [
    'the last value where the evaluation has no accuracy',
    judged({ accuracy: null }),
    '0.3123 loss, the last value',
  ],
  [
    'data, hosts, cost and time',
    {},
    'Files 2,000 Hosts 2 × ml.m5.xlarge Cost $0.05 for training, quoted at most $0.20 Time 7 min 27 s 1 min 30 s billed a host',
  ],
  [
    'no quote that there was not',
    { quoteUsd: null, jobs: [job({ billableSeconds: null })] },
    '$0.05 for training Time 7 min 27 s Metrics',
  ],
  [
    'the job that counts, the last one',
    { jobs: [job(), job({ instanceCount: 7 })] },
    'Hosts 7 × ml.m5.xlarge',
  ],
  ['a promotion', promotion('promoted'), '✓ Promoted: it is the model of the pipeline now. Because.'],
  ['a refusal', promotion('refused'), '✗ Not promoted. Because.'],
  ['what to do where a person decides', promotion('asked'), 'inferdrop promote training/birds/monday/000001'],
  [
    'the metrics that have values',
    {},
    'As in the log of each host. loss 0.3123 at the end Where the time went',
  ],
  ['an empty drop', { status: 'empty', jobs: [] }, 'The drop held no files.'],
  [
    'why a training failed',
    { failure: FAILURE },
    'The training failed: TrainingFailed one two Next: Correct the script.',
  ],
  [
    'each problem of a refused training',
    {
      status: 'refused',
      failure: FAILURE,
      problems: [{ file: 'job.json', field: 'x', value: '', message: 'is odd' }],
    },
    'The training was refused before any money was spent. job.json: x is odd Next:',
  ],
  [
    'the evaluation',
    judged(),
    'birds/monday/000001r2 judged the model on 1,000 frozen inputs. The gate passed. Accuracy 86.1% on 1,000 inputs, ' +
      'judged by birds/monday/000001r2 for $0.02',
  ],
  [
    'the evaluation against the model that served',
    judged({ against: AGAINST }),
    'Against birds/monday/000001 4 lost, 12 gained; McNemar p = 0.077 Change +4.0 points 82.0% to 86.0% on the inputs of both',
  ],
  [
    'the inputs that became wrong or right',
    judged({ against: AGAINST }),
    'Right before, wrong now Input Truth Before Now a.png owl owl kite Wrong before, right now Input Truth Before Now ' +
      'b.png, record 3 owl kite owl Where',
  ],
  [
    'nothing of an unknown comparison',
    judged({ against: { ...AGAINST, accuracyNow: null, pValue: null } }),
    'Against birds/monday/000001 4 lost, 12 gained Right before',
  ],
  [
    'no accuracy of the evaluation that has none',
    judged({ accuracy: null }),
    'The gate passed. Accuracy not known on 1,000 inputs',
  ],
  [
    'no change from an accuracy that is not known',
    judged({ against: { ...AGAINST, accuracyBefore: null } }),
    'Against birds/monday/000001 4 lost, 12 gained; McNemar p = 0.077 Right before',
  ],
  [
    'inputs of the evaluation that were trained on',
    judged({ trainedOn: { count: 1, first: ['a.png'], compared: 9 } }),
    '1 input of the evaluation was trained on. The gate does not count them; with them the accuracy is higher than on ' +
      'inputs that the model has not seen: a.png Accuracy',
  ],
  [
    'the first of them',
    judged({ trainedOn: { count: 3, first: ['a.png', 'b.png'], compared: 9 } }),
    '3 inputs of the evaluation were trained on. The gate does not count them; with them the accuracy is higher than ' +
      'on inputs that the model has not seen: a.png, b.png, … Accuracy',
  ],
  [
    'inputs that look like one that was trained on',
    judged({ nearDuplicates: { ...ALIKE, count: 1 } }),
    '1 input of the evaluation looks like one that was trained on. The gate does not count them, as for copies in ' +
      'another encoding: a.png like b.jpg Accuracy',
  ],
  [
    'the first pairs of them',
    judged({ nearDuplicates: { ...ALIKE, count: 2 } }),
    '2 inputs of the evaluation look like one that was trained on. The gate does not count them, as for copies in ' +
      'another encoding: a.png like b.jpg, … Accuracy',
  ],
  ['where the time went', {}, 'Starting 1 min Training not known'],
  [
    'each job',
    { jobs: [job({ status: 'Failed', failureReason: 'ExitCode 1' })] },
    'job-1 Failed ExitCode 1 2 × ml.m5.xlarge 1 min 30 s $0.05',
  ],
  [
    'the end of the log of each host',
    { logEnd: [{ host: 'algo-2', lines: ['a', 'b'] }] },
    'The end of the log algo-2 a b',
  ],
  [
    'what does not follow',
    {},
    'Evaluation none Endpoint not changed Times 2026-11-21 10:00:04 UTC … 2026-11-21 10:07:31 UTC',
  ],
  [
    'what follows',
    { lineage: { ...REPORT.lineage, evaluationRun: 'birds/monday/000002', deploy: 'when-gate-passes' } },
    'Evaluation birds/monday/000002 Endpoint its deployment follows, with a message of its own',
  ],
  [
    'what the model was made from',
    {
      lineage: {
        ...REPORT.lineage,
        source: { prefix: 'code/', entryPoint: 'train.py', sha256: SHA, files: 3 },
        image: { uri: 'host/image:1', framework: 'pytorch', version: '2.6' },
        hyperparameters: { epochs: '3', rate: '0.1' },
        model: {
          sha256: SHA,
          content: SHA,
          bytes: 12_345,
          artifact: 's3://b/model',
          addedCode: ['inference.py', 'x.py'],
        },
      },
    },
    `Data s3://b/m 2,000 files, 5.0 kB, frozen Source code/train.py sha256 ${SHA} , 3 files Hyperparameters epochs 3 ` +
      `, rate 0.1 Container host/image:1 pytorch 2.6 Model sha256 ${SHA} , 12.3 kB content ${SHA} s3://b/model with ` +
      'code/ of the source: inference.py, x.py Evaluation',
  ],
  [
    'a source without a digest, and a model without code of the source',
    {
      lineage: {
        ...REPORT.lineage,
        source: { prefix: 'code/', entryPoint: 'train.py', sha256: null, files: 1 },
        model: { sha256: SHA, content: null, bytes: 9, artifact: 's3://b/model', addedCode: [] },
      },
    },
    `frozen Source code/train.py 1 file Model sha256 ${SHA} , 9 B s3://b/model Evaluation none`,
  ],
  ['notes', { notes: ['of the log'] }, 'Written by inferdrop 1.0.0 of the log'],
  [
    'the first metric that has a last value',
    { metrics: REPORT.metrics.toReversed() },
    '0.3123 loss, the last value of the training Files',
  ],
  [
    'a metric without a last value by its curve',
    { metrics: [{ name: 'error', final: null, hosts: [{ host: 'algo-1', count: 1, values: [null] }] }] },
    'As in the log of each host. error Where the time went',
  ],
  [
    'no curve of a host whose log has no value',
    { metrics: [{ name: 'error', final: null, hosts: [{ host: 'algo-1', count: 0, values: [] }] }] },
    '1 min 30 s billed a host Where the time went',
  ],
])('the page of a training shows %s', (_, change, text) => {
  expect(pageWords({ markup: pageOf(change) })).toContain(text);
});

test('a training without a job has neither facts nor phases, and one that nothing judged no evaluation', () => {
  const words = pageWords({ markup: pageOf({ jobs: [], metrics: [] }) });
  expect(words).not.toMatch(
    /Files 2,000|Hosts|Where the time went|Metrics by step|The end of the log|trained on/,
  );
  const plain = pageOf({});
  expect(plain).not.toMatch(/class="alarm"|class="verdict|id="evaluation"|inferdrop promote/);
  expect(pageOf(promotion('never'))).toContain('<p class="verdict "><span>It does not become the model');
  expect(pageOf(judged({ against: { ...AGAINST, flips: [] } }))).not.toContain('<details');
});

test('the page of a training says how it ended, and allows nothing but its style', () => {
  const page = pageOf({});
  expect(page).toContain('<span class="pill good">completed</span>');
  expect(pageOf({ status: 'failed', failure: FAILURE })).toContain('<span class="pill bad">failed</span>');
  expect(page).toContain(
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'".replaceAll("'", '&#39;'),
  );
  expect(page).toContain('Cost is billable seconds × instances × price.');
  for (const each of [page, pageOf({ jobs: [], metrics: [] }), pageOf({ phases: [] })])
    expect(each).not.toMatch(/undefined|NaN|null/);
});

test.each([
  ['promoted', 'good'],
  ['refused', 'bad'],
  ['never', ''],
])('the verdict %s has the color of %j', (what, tone) => {
  expect(pageOf(promotion(what))).toContain(`<p class="verdict ${tone}">`);
});

test('of each kind of flip twenty are listed, and those that were lost are open', () => {
  const flips = Array.from({ length: 50 }, (_, at) =>
    at % 2 === 0 ? flip(`${at}.png`, 'owl', 'kite') : flip(`${at}.png`, 'kite', 'owl'),
  );
  const page = pageOf(judged({ against: { ...AGAINST, flips } }));
  expect(page.match(/<details[^>]*><summary>[A-Za-z]+/g)).toEqual([
    '<details open><summary>Right',
    '<details><summary>Wrong',
  ]);
  expect(page.match(/\d+\.png/g)).toHaveLength(40);
});

test('the bar of a phase is its share of the longest, and 1% where its length is not known', () => {
  const startedAt = REPORT.createdAt;
  const phases = [30, 60, null].map((seconds) => ({ status: 'Training', startedAt, seconds }));
  expect([...pageOf({ phases }).matchAll(/--v:(\d+)%/g)].map((bar) => bar[1])).toEqual(['50', '100', '1']);
});

const WORK = [
  'Files      2,000',
  'Hosts      2 × ml.m5.xlarge',
  'Cost       $0.05 (for training, quoted at most $0.20)',
  'Time       7 min 27 s (1 min 30 s billed a host)',
];
const JUDGED = 'Accuracy   86.1% (on 1,000 inputs, judged by birds/monday/000001r2 for $0.02)';
const LOST = 'Against    birds/monday/000001 (4 lost, 12 gained; McNemar p = 0.077)';

test.each<[object, readonly string[]]>([
  [{}, [...WORK, 'Metric     loss 0.3123']],
  [
    { metrics: [], jobs: [] },
    ['Files      2,000', 'Cost       $0.05 (for training, quoted at most $0.20)', 'Time       7 min 27 s'],
  ],
  [{ metrics: [], ...judged({ against: { ...AGAINST, accuracyNow: null } }) }, [...WORK, JUDGED, LOST]],
  [
    {
      metrics: [],
      ...judged({
        trainedOn: { count: 1, first: ['a'], compared: 9 },
        nearDuplicates: { ...ALIKE, count: 1 },
      }),
      ...promotion('asked'),
      notes: ['of the log'],
    },
    [
      ...WORK,
      JUDGED,
      'Trained on 1 input of the evaluation (the gate does not count them)',
      'Look-alike 1 input of the evaluation (like one that was trained on; the gate does not count them: a.png like b.jpg)',
      'A person decides whether it becomes the model of the pipeline. Because.',
      'inferdrop promote training/birds/monday/000001',
      'Note: of the log',
    ],
  ],
  [
    { metrics: [], ...judged({ accuracy: null, against: AGAINST }), ...promotion('refused') },
    [
      ...WORK,
      'Accuracy   not known (on 1,000 inputs, judged by birds/monday/000001r2 for $0.02)',
      LOST,
      'Change     +4.0 points (82.0% to 86.0% on the inputs of both)',
      'Not promoted. Because.',
    ],
  ],
  [
    {
      metrics: [],
      ...judged({
        against: { ...AGAINST, accuracyBefore: null },
        trainedOn: { count: 2, first: [], compared: 9 },
      }),
    },
    [...WORK, JUDGED, LOST, 'Trained on 2 inputs of the evaluation (the gate does not count them)'],
  ],
])('a training in lines', (change, lines) => {
  expect(linesOf(change)).toEqual(lines);
});

test('the lines of a training that ended early begin with why, and what to do', () => {
  const early = (change: object) => linesOf({ failure: FAILURE, ...change }).slice(0, 3);
  expect(early({})).toEqual(['TrainingFailed: one', 'two', 'Next: Correct the script.']);
  const problems = [{ file: 'job.json', field: 'x', value: '', message: 'is odd' }];
  expect(early({ problems }).slice(0, 2)).toEqual(['job.json: x is odd', 'Next: Correct the script.']);
  expect(trainingMarkdown({ ...REPORT, notes: ['a_b'] })).toMatch(
    /^\*\*training\/birds\/monday\/000001\*\* completed\n\n.*a\\_b\n$/s,
  );
});

test.each(['promoted', 'refused', 'asked', 'never'] as const)(
  '%s has a sentence of its own, and its reason',
  (what) => {
    expect(promotionText({ promotion: what, reason: 'Because.' })).toMatch(/^[A-Z].*\. Because\.$/);
  },
);

test.each<[readonly [number, number], number, readonly number[]]>([
  [[0, 1], 4, [0, 0.5, 1]],
  [[0.12, 0.94], 4, [0, 0.5, 1]],
  [[0, 100], 5, [0, 20, 40, 60, 80, 100]],
  [[-3, 7], 4, [-5, 0, 5, 10]],
  [[0.001, 0.0035], 4, [0.001, 0.002, 0.003, 0.004]],
  [[2, 2], 4, [2]],
])('round numbers that cover %j, about %d: %j', (range, count, ticks) => {
  expect(niceTicks(range, count)).toEqual(ticks);
});
