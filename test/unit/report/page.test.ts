import { expect, test } from 'vitest';
import { imageKind } from '../../../src/report/image-kind.ts';
import { mostConfused } from '../../../src/report/most-confused.ts';
import { alarm } from '../../../src/report/page/alarm.ts';
import { classTable } from '../../../src/report/page/class-table.ts';
import { confidenceSection } from '../../../src/report/page/confidence-section.ts';
import { failuresSection } from '../../../src/report/page/failures.ts';
import { figuresSection } from '../../../src/report/page/figures-section.ts';
import { gallery } from '../../../src/report/page/gallery.ts';
import { headline } from '../../../src/report/page/headline.ts';
import { labelsSection } from '../../../src/report/page/labels-section.ts';
import type { Markup } from '../../../src/report/page/markup.ts';
import { matrixSection } from '../../../src/report/page/matrix-section.ts';
import { receiptSection } from '../../../src/report/page/receipt-section.ts';
import { reportHtml } from '../../../src/report/page/report-html.ts';
import type { Report } from '../../../src/report/report.ts';
import { linearScale } from '../../../src/report/svg/linear-scale.ts';
import { pageWords } from '../../support/page-words.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';
import { unjudgedReport } from '../../support/unjudged-report.ts';

const REPORT = syntheticReport(10, 500);
const UNJUDGED = unjudgedReport(10, 500);
const FAILURE = { error: 'InstanceCapacity', cause: 'none <left>', nextStep: 'Rerun later.' };
const PROBLEM = { file: 'job.json', field: 'input', value: '1', message: 'must be a URI' };
const words = (markup: Markup | false) => (markup === false ? undefined : pageWords(markup));
const has = (text: string) => expect.stringContaining(text);

type Section = (report: Report) => Markup | false;
const pictured: Section = (report) =>
  gallery(
    report,
    new Map([['in/a.png', { source: `data:image/png;base64,${'A'.repeat(20_000)}`, isTiny: false }]]),
    new Map(),
  );
const listed: Section = (report) => gallery(report, new Map(), new Map());
const mistake = (change: object = {}) => ({
  key: 'in/a.png',
  recordIndex: 0,
  truth: 'owl',
  predicted: 'kite',
  confidence: 0.9,
  truthScore: 0.05,
  ...change,
});
const mistakes = (...found: object[]) => ({ mistakes: found.map(mistake) });
const NO_FINDING = { count: 0, examples: [] };
const LABELS = {
  inputs: 2_000,
  isWhole: true,
  labeled: 1_999,
  noClass: NO_FINDING,
  noInput: NO_FINDING,
  conflicting: NO_FINDING,
  unlabeled: NO_FINDING,
};
const failures = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    key: `${at}`,
    recordIndex: null,
    reason: 'empty',
    detail: '',
  }));

test.each<[string, Section, object, unknown]>([
  ['no alarm of a run that completed', alarm, { failure: null }, undefined],
  [
    'an alarm of a drop without files',
    alarm,
    { status: 'empty', failure: null },
    has('The drop held no files.'),
  ],
  [
    'why a run failed, and what to do',
    alarm,
    { status: 'failed', failure: FAILURE },
    'The run failed: InstanceCapacity none <left> Next: Rerun later.',
  ],
  [
    'each problem of a refused run',
    alarm,
    { status: 'refused', failure: FAILURE, problems: [PROBLEM, { ...PROBLEM, field: 'gate' }] },
    'The run was refused before any money was spent. job.json: input must be a URI job.json: gate must be a URI Next: Rerun later.',
  ],

  ['no inputs without a prediction where there are none', failuresSection, { errors: 0 }, undefined],
  [
    'a reason without a description by its name',
    failuresSection,
    { errors: 2, records: 8, errorsByReason: { odd: 2 }, failures: failures(2) },
    has(
      '2 of 10. All of them are in errors.csv . odd odd 2 20.0% Each of them Input Reason Detail 0 empty 1 empty',
    ),
  ],
  [
    'how many inputs without a prediction are shown of how many',
    failuresSection,
    { errors: 1_500, records: 0, errorsByReason: { empty: 1_500 }, failures: failures(1_200) },
    has('The file has no bytes empty 1,500 100.0% The first 1,200 Input'),
  ],
  [
    'the record of a file',
    failuresSection,
    { errors: 1, failures: [{ key: 'a.csv', recordIndex: 0, reason: 'not-a-number', detail: 'NaN' }] },
    has('a.csv, record 0 not-a-number NaN'),
  ],

  ['no labels where there are none', labelsSection, { labels: null }, undefined],
  ['no labels without a defect', labelsSection, { labels: LABELS }, undefined],
  [
    'each kind of defect with its examples',
    labelsSection,
    {
      labels: {
        ...LABELS,
        isWhole: false,
        noInput: { count: 1_000, examples: ['a', 'b'] },
        unlabeled: { count: 1, examples: ['c'] },
      },
    },
    'Defects of the labels 1,999 of 2,000 looked at have a label. Kind Count The first of them Without a label 1 c ' +
      "Row of the label file with a key that isn't a file 1,000 a b",
  ],
  [
    'all inputs where all were looked at',
    labelsSection,
    { labels: { ...LABELS, noClass: { count: 1, examples: ['c'] } } },
    has('1,999 of 2,000 have a label. Kind Count The first of them Label that is not a class 1 c'),
  ],

  ['no mistakes where there are none', listed, { mistakes: [] }, undefined],
  [
    'how sure the model was of its mistakes',
    listed,
    mistakes({}, { recordIndex: 3, confidence: null, truthScore: null }),
    'Sure and wrong The most confident mistakes. Predicted Truth Input kite 90.0% owl 5.0% in/a.png kite owl in/a.png, record 3',
  ],
  [
    'the table, the place and the id of a record',
    listed,
    mistakes({
      key: 'in/b.csv',
      recordIndex: 3,
      line: 5,
      id: 'P4',
      confidence: null,
      truthScore: null,
    }),
    has('kite owl in/b.csv, record 3 (line 5), id P4'),
  ],
  [
    'that this is not known',
    listed,
    mistakes({ confidence: null }),
    has('Wrong Some mistakes; how sure the model was is not known.'),
  ],
  [
    'the images of mistakes, or their keys',
    pictured,
    mistakes({}, { key: 'in/b.png', confidence: null, truthScore: null }),
    has(
      'The most confident mistakes. kite 90.0% truth: owl, given 5.0% a.png in/b.png not shown: the page would be too ' +
        'large kite truth: owl b.png',
    ),
  ],

  ['no receipt of a run without plan and notes', receiptSection, { setup: null, notes: [] }, undefined],
  [
    'the notes of a run without a plan',
    receiptSection,
    { setup: null, notes: ['of the log'], jobs: [] },
    'Receipt Enough to repeat the run. of the log',
  ],
  [
    'what ran, as the container says',
    receiptSection,
    { setup: { ...REPORT.setup, runtimes: ['engine 1', 'engine 2'] } },
    has('What ran engine 1 engine 2 as the container’s log says, instead of the image Input'),
  ],
  [
    'when a run began and ended',
    receiptSection,
    {},
    has('Times 2026-11-21 10:00:04 UTC … 2026-11-21 10:07:31 UTC Written by inferdrop 1.0.0'),
  ],
  [
    'no beginning that is not known',
    receiptSection,
    { startedAt: null },
    has('Times 2026-11-21 10:07:31 UTC Written'),
  ],
  [
    'no program where none is known',
    receiptSection,
    { program: null },
    expect.not.stringContaining('Written by'),
  ],
  [
    'each job with its end and cost',
    receiptSection,
    {},
    has(
      '-1 Failed ClientError: See job logs for more information 2 × ml.g4dn.xlarge 10,003 $0.08 ' +
        'inferdrop-birds-monday-4c1d-2 Completed 1 × ml.g4dn.xlarge 2 $0.01',
    ),
  ],

  ['no figures without any', figuresSection, { quality: null, absent: [] }, undefined],
  ['why there are none', figuresSection, { quality: null, absent: ['no truth'] }, 'Figures no truth'],
  [
    'no figure that the outputs do not allow',
    figuresSection,
    {
      quality: { ...REPORT.quality, logLoss: null, macroRocAuc: null, neverPredicted: 0 },
      absent: ['no log loss'],
    },
    expect.not.stringMatching(/Log loss|ROC AUC|never predicted/),
  ],
  [
    'the classes that were never predicted',
    figuresSection,
    {
      quality: { ...REPORT.quality, neverPredicted: 3, macroRocAuc: { value: 0.98765, errorBound: 0.00042 } },
      absent: [],
    },
    expect.stringMatching(/Macro ROC AUC 98\.77% ± 0\.04 .* Classes never predicted 3$/),
  ],
  [
    'a bound of an error that is not there',
    figuresSection,
    { quality: { ...REPORT.quality, macroRocAuc: { value: 1, errorBound: 4.9e-7 } } },
    has('Macro ROC AUC 100.00% ± 0 '),
  ],

  ['no confidence without truth', confidenceSection, { quality: null }, undefined],
  ['no confidence where the outputs have none', confidenceSection, { confidenceHistogram: null }, undefined],
  ['no confidence without a curve', confidenceSection, { reliability: [] }, undefined],
  ...(
    [
      [0.9, 'says 92.0% and is right in 90.0%: too sure of itself.'],
      [0.9101, 'well calibrated as a whole.'],
      [0.9299, 'well calibrated as a whole.'],
      [0.94, 'surer than it dares to say.'],
    ] as const
  ).map(
    ([accuracy, text]) =>
      [
        `how an accuracy of ${accuracy} compares with a mean confidence of 92%`,
        confidenceSection,
        {
          quality: { ...REPORT.quality, correct: accuracy * 10_000, labeled: 10_000 },
          reliability: [
            { ...REPORT.reliability[0], count: 10, confidence: 0.95 },
            { ...REPORT.reliability[0], count: 30, confidence: 0.91 },
          ],
        },
        has(text),
      ] satisfies [string, Section, object, unknown],
  ),

  [
    'no words on the confidence of few records',
    confidenceSection,
    { reliability: [{ ...REPORT.reliability[0], count: 29 }] },
    has('29 records with a confidence: too few to tell.'),
  ],
  ['no matrix of a run without truth', matrixSection, { confusion: [] }, undefined],
  [
    'that there are no confusions',
    matrixSection,
    { confusion: [[0, 0, 3]] },
    has('Confusions None: every record is right.'),
  ],
  ['no table of classes without truth', classTable, { quality: null }, undefined],
])('the page shows %s', (_, section, change, expected) => {
  expect(words(section({ ...REPORT, ...change }))).toEqual(expected);
});

test.each<[string, Report, object, string]>([
  [
    'no errors',
    REPORT,
    { errors: 0, total: 500, records: 500 },
    'Inputs 500 Errors none all have a prediction',
  ],
  [
    'records of fewer files',
    REPORT,
    { errors: 3, total: 5, records: 2_000, errorRate: 0.0015 },
    'Inputs 5 2,000 records predicted Errors 3 without a usable prediction: 2 model-error, 1 empty; 0.15% count as errors',
  ],
  [
    'a cost without a quote',
    REPORT,
    { costUsd: 1.5, setup: null },
    'Cost $1.50 for its jobs Time 7 min 27 s',
  ],
  ['a cost with its quote', REPORT, { costUsd: 1.5 }, 'Cost $1.50 for its jobs, quoted $0.11 Time'],
  ['a verdict', REPORT, { gate: { verdict: 'passed', explanation: 'good' } }, '✓ good'],
  ['a verdict', REPORT, { gate: { verdict: 'failed', explanation: 'bad' } }, '✗ bad'],
  ['no truth', UNJUDGED, {}, '500 records predicted, with no truth to judge by: there is no accuracy.'],
  ['no truth of one record', UNJUDGED, { records: 1 }, '1 record predicted, with no truth'],
  ['no record', UNJUDGED, { records: 0 }, '0 records predicted.'],
])('the headline tells %s', (_, report, change, text) => {
  expect(words(headline({ ...report, ...change }))).toContain(text);
});

test.each(['refused', 'empty'] as const)('a run that was %s has no verdict', (status) => {
  expect(words(headline({ ...REPORT, status }))).not.toContain('gate');
  expect(words(headline({ ...REPORT, status: 'failed' }))).toContain('gate');
});

test('the table of classes begins with the lowest recall, and has every class that was met or listed', () => {
  const [first] = REPORT.classes;
  const of = (name: string, recall: number | null, change: object = {}) => ({
    ...first!,
    name,
    recall,
    recallInterval: recall === null ? null : { low: 0, high: 1 },
    rocAuc: null,
    averagePrecision: null,
    support: 10,
    ...change,
  });
  const none = { support: 0, predicted: 0, predictedUnlabeled: 0 };
  const classes = [
    of('good', 0.9),
    of('bad', 0.1, { precision: null, f1: null }),
    of('worse', 0.1, { support: 99 }),
    of('unseen', null, none),
    of('guessed', null, { ...none, predictedUnlabeled: 1, listed: false }),
    of('unheard', null, { ...none, listed: false }),
  ];
  const confusion: Report['confusion'] = [
    [1, 0, 3],
    [1, 1, 50],
    [1, 2, 4],
    [1, 4, 4],
  ];
  const table = words(classTable({ ...REPORT, classes, confusion }))!;
  expect(table.match(/good|bad|worse|unseen|guessed|unheard/g)).toEqual([
    'worse',
    'bad',
    'worse',
    'good',
    'unseen',
    'guessed',
  ]);
  expect(table).toContain('bad 10 10.0% – – worse 4');
  expect(table).toContain('unseen 0 – ');
  expect(table).toContain('guessed not in labels.classes');
  expect(table).not.toMatch(/ROC AUC|with the lowest recall/);
});

test('the most frequent confusions, those of equal number in the order of their classes', () => {
  const [first] = REPORT.classes;
  const classes = ['a', 'b', 'c'].map((name) => ({ ...first!, name, support: 10 }));
  const confusion: Report['confusion'] = [
    [0, 0, 9],
    [2, 1, 5],
    [1, 2, 5],
    [1, 0, 5],
    [0, 2, 7],
  ];
  const found = mostConfused({ classes, confusion }, 4).map((each) => [
    each.truth,
    each.predicted,
    each.share,
  ]);
  expect(found).toEqual([
    ['a', 'c', 0.7],
    ['b', 'a', 0.5],
    ['b', 'c', 0.5],
    ['c', 'b', 0.5],
  ]);
  expect(mostConfused({ classes, confusion }, 1)).toHaveLength(1);
});

test('an image that every browser shows is known by its first bytes, whatever it is called', () => {
  const kinds = [
    '89504e470d0a1a0a00',
    'ffd8ffe0',
    '474946383961',
    '524946460000000057454250',
    '89504e47',
    '3c737667',
    '',
  ];
  expect(kinds.map((hex) => imageKind(Buffer.from(hex, 'hex')))).toEqual([
    ...['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
    ...[undefined, undefined, undefined],
  ]);
});

test('a domain of one value lies in the middle', () => {
  expect(linearScale([3, 3], [0, 10])(3)).toBe(5);
  expect([0, 1, 2].map(linearScale([0, 2], [10, 20]))).toEqual([10, 15, 20]);
});

test('a model of two classes shows its curves and the threshold that it decided by', () => {
  const page = reportHtml(syntheticReport(2, 500));
  const { thresholds, classes } = syntheticReport(2, 500);
  const called = classes[1]!.predicted;
  const [nearest] = thresholds!.points.toSorted(
    ([, tp, fp], [, otherTp, otherFp]) => Math.abs(tp + fp - called) - Math.abs(otherTp + otherFp - called),
  );
  expect(page).toContain(`<output id="threshold-tp">${nearest![1]}</output>`);
  expect(page).toContain(`<output id="threshold-fp">${nearest![2]}</output>`);
  expect(page).toContain('called dog');
  expect(reportHtml(syntheticReport(10, 500))).not.toContain('id="thresholds"');
});
