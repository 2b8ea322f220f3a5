import { expect, test } from 'vitest';
import { evidenceOf } from '../../../src/gate/evidence-of.ts';
import { judgeGate } from '../../../src/gate/judge-gate.ts';
import { Ledger } from '../../../src/judging/ledger.ts';
import { ClassList } from '../../../src/label/class-list.ts';
import { resolvePrediction } from '../../../src/label/resolve-prediction.ts';
import { comparisonOf } from '../../../src/metric/comparison.ts';
import { countError, countOutcome } from '../../../src/metric/count-outcome.ts';
import { metricsOf } from '../../../src/metric/metrics.ts';
import { countPaired, createPairTally } from '../../../src/metric/pair-tally.ts';
import { createTally } from '../../../src/metric/tally.ts';
import { buildReport } from '../../../src/report/build-report.ts';
import { reportLedger } from '../../../src/report/judged-ledger.ts';
import { reportSlices } from '../../../src/report/judged-slices.ts';
import { showInvisible } from '../../../src/report/page/markup.ts';
import { reportHtml } from '../../../src/report/page/report-html.ts';
import { reportComparison } from '../../../src/report/report-comparison.ts';
import { confusionMatrixSvg } from '../../../src/report/svg/confusion-matrix-svg.ts';
import { athenaTable } from '../../../src/report/table/athena-table.ts';
import { csvCell, csvTable } from '../../../src/report/table/csv-table.ts';
import { ERRORS_CSV } from '../../../src/report/table/errors-csv.ts';
import { FLIPS_CSV } from '../../../src/report/table/flips-csv.ts';
import { terminalMatrix } from '../../../src/report/terminal/terminal-matrix.ts';
import { reportMarkdown } from '../../../src/report/text/report-markdown.ts';
import { asAnswered } from '../../support/as-answered.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; alert(1); //",
  '</script><script>alert(2)</script>',
  '\u202Egnp.exe',
  "=cmd|' /C calc'!A0",
  'line\nbreak\r\n\u0000\u001b[31mred',
  '\ud800 lone surrogate',
  `${'k'.repeat(1_020)}.png`,
  '[link](javascript:alert(1)) `code` @everyone',
  ']]> --> ${evil} <!--',
];

function hostileReport() {
  const classes = new ClassList(HOSTILE);
  const tally = createTally(classes, 0);
  const ledger = new Ledger();
  for (const [truth, key] of HOSTILE.entries()) {
    for (const predicted of [truth, (truth + 1) % HOSTILE.length]) {
      tally.inputs++;
      const scores = HOSTILE.map((_, at) => (at === predicted ? 0.9 : 0.1 / (HOSTILE.length - 1)));
      countOutcome(tally, {
        key,
        recordIndex: 0,
        truth,
        ...resolvePrediction({ scores }, classes, asAnswered()),
      });
      ledger.addAnswered(truth, truth === predicted);
    }
  }
  const failures = HOSTILE.map((key) => ({ key, recordIndex: null, reason: 'model-error', detail: key }));
  for (const { reason } of failures) {
    tally.inputs++;
    countError(tally, reason);
  }
  const pairs = createPairTally('birds/<b>friday/000001');
  const flips = HOSTILE.flatMap((key, at) => {
    const truth = HOSTILE[(at + 1) % HOSTILE.length]!;
    pairs.inputs.paired++;
    const record = { key, recordIndex: 0, truth };
    return countPaired(pairs, record, { prediction: truth, score: 1 }, { prediction: key, score: 0.5 }) ?? [];
  });
  const result = comparisonOf(pairs);
  const comparison = reportComparison(pairs, result, { replay: false, baselineInputs: null, flips });
  const metrics = metricsOf(tally, [1, 5]);
  const gate = judgeGate(
    { maxAccuracyDrop: 0, minRecall: 0.9 },
    evidenceOf({
      ledger,
      metrics,
      classes: classes.names,
      comparison: { pairs, result },
      first: false,
    }),
  );
  const { status, createdAt, startedAt, seconds, costUsd, failure, setup, jobs } = syntheticReport(2, 10);
  const frame = { status, createdAt, startedAt, seconds, costUsd, gate, failure, setup, jobs, comparison };
  const finding = { count: HOSTILE.length, examples: [...HOSTILE] };
  const labels = {
    inputs: 9,
    isWhole: true,
    labeled: 9,
    noClass: finding,
    noInput: finding,
    conflicting: finding,
    unlabeled: finding,
  };
  const suspectLabels = {
    labeled: 9,
    correct: 0,
    leftOut: 0,
    mistakes: 9,
    suspects: 9,
    undecided: 0,
    accuracy: 0,
    accuracyAtMost: 1,
    first: tally.mistakes.map((mistake) => ({ ...mistake, margin: 0.1 })),
  };
  const slices = reportSlices(
    ['site'],
    [
      {
        values: HOSTILE.map((name): [string, number, number, number] => [name, 1, 40, 0]).slice(1),
        none: { right: 0, count: 1, missed: 0 },
        other: { right: 39, count: 40, missed: 0 },
      },
    ],
  );
  return buildReport(
    {
      ...frame,
      task: 'classification',
      answers: [],
      labels,
      labelReading: {
        numbers: 'index',
        hasNumbers: true,
        isSet: true,
        counts: HOSTILE.map(() => 1),
        from: HOSTILE.join(),
        examples: HOSTILE.map((name) => ({ where: name, label: name, class: name })),
      },
      labelChanges: null,
      suspectLabels,
      ledger: reportLedger(ledger, { clusters: null, confidence: 0.95, hidesCopies: false }),
      slices,
      run: 'birds/<b>drop/000001',
      rescoreOf: null,
      previous: { run: 'birds/a" data-file="x/000001', accuracy: null },
      sample: null,
      program: null,
      problems: [],
      notes: HOSTILE,
      isDoubted: false,
      failures,
    },
    tally,
    metrics,
  );
}

test('no name becomes an element of the page', () => {
  const html = reportHtml(hostileReport());
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html.replace(/<script type="application\/json".*<\/script>/, '')).not.toMatch(
    /<img src=x|<b>drop|onerror=alert\(1\)>/,
  );
  // eslint-disable-next-line no-control-regex -- none may be left
  expect(html).not.toMatch(/[\u0000-\u0008\u000e-\u001f\u202e\ud800]/);
  const data = /<script type="application\/json" id="data">(.*)<\/script>/.exec(html);
  expect(JSON.parse(data![1]!).names.slice(0, 7)).toEqual(HOSTILE.slice(0, 7).map(showInvisible));
});

test('no name becomes an element of the image', () => {
  const svg = confusionMatrixSvg(hostileReport()).markup;
  expect(svg).not.toMatch(/<script|<img|<!--|\u202e/);
  expect(svg.match(/<svg/g)).toHaveLength(1);
});

test('no cell of flips.csv is a formula, and each record stays one record', () => {
  for (const flip of hostileReport().comparison!.flips) {
    const row = FLIPS_CSV.line({ ...flip, scoreNow: -0.5 });
    expect(row.replace(/,-0\.5\r\n$/, '\r\n')).not.toMatch(/(^|,)"?[=+@\-\t]/);
    expect(row.replace(/"(?:[^"]|"")*"/g, '').split('\r\n')).toHaveLength(2);
  }
});

test('no cell of errors.csv is a formula, and each record stays one record', () => {
  for (const key of HOSTILE) {
    const row = ERRORS_CSV.line({ key, recordIndex: null, reason: 'model-error', detail: '+1' });
    expect(row).not.toMatch(/(^|,)"?[=+@\-\t]/);
    expect(row.replace(/"(?:[^"]|"")*"/g, '').split('\r\n')).toHaveLength(2);
  }
  expect(csvCell('=1+1')).toBe(`"'=1+1"`);
  expect(csvCell('a,"b"')).toBe('"a,""b"""');
  expect(csvCell('plain')).toBe('plain');
  expect(csvCell('a-b=c.png')).toBe('a-b=c.png');
  expect(csvCell('a;=1+1;.png')).toBe(`"a;'=1+1;.png"`);
  expect(csvCell('a\t=1|@x')).toBe(`"a\t'=1|'@x"`);
  for (const sign of '＝＋－＠﹦﹢﹣﹫') {
    expect(csvCell(`${sign}1+1`)).toBe(`"'${sign}1+1"`);
    expect(csvCell(`a;${sign}1+1`)).toBe(`"a;'${sign}1+1"`);
  }
  expect(csvCell('\tx')).toBe(`"'\tx"`);
});

test('numbers of a table stay numbers beside texts that are none', () => {
  const { header, line } = csvTable<{ name: string; score: number | null; right: boolean }>({
    name: ({ name }) => name,
    score: ({ score }) => score,
    right: ({ right }) => right,
  });
  expect(header).toBe('name,score,right\r\n');
  expect(line({ name: '-1', score: -0.0192, right: false })).toBe(`"'-1",-0.0192,false\r\n`);
  expect(line({ name: 'a', score: null, right: true })).toBe('a,,true\r\n');
});

test('no name moves the cursor of a terminal or breaks a line', () => {
  const text = terminalMatrix(hostileReport());
  expect(text.split('\n')).toHaveLength(HOSTILE.length + 2);
  // eslint-disable-next-line no-control-regex -- none may be left
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});

test('no name is a link, a mention or markup of the message', () => {
  const markdown = reportMarkdown(hostileReport());
  expect(markdown).not.toMatch(/(?<!\\)[<`]|(?<!\\)\]\(|@everyone/);
});

test('a drop’s name stays within the text of the Athena statement', () => {
  const statement = athenaTable('p/d/000001', "s3://b/runs/p/a\\'; DROP TABLE t; --/");
  expect(statement).toContain(String.raw`LOCATION 's3://b/runs/p/a\\\'; DROP TABLE t; --/';`);
});

test.each(['\u00ad', '\u061c', '\u200b', '\u2028', '\u2060'])(
  'two names that differ in %j alone do not look alike',
  (character) =>
    expect(showInvisible(`cat${character}`)).toBe(
      `cat\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
);
