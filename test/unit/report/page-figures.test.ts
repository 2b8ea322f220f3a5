import { describe, expect, test } from 'vitest';
import { unpackCounts } from '../../../src/metric/packed-counts.ts';
import { classTable } from '../../../src/report/page/class-table.ts';
import { confidencePlot } from '../../../src/report/page/confidence-plot.ts';
import { gallery } from '../../../src/report/page/gallery.ts';
import { headline } from '../../../src/report/page/headline.ts';
import type { Markup } from '../../../src/report/page/markup.ts';
import { matrixSection } from '../../../src/report/page/matrix-section.ts';
import { pageData } from '../../../src/report/page/page-data.ts';
import { predictedSection } from '../../../src/report/page/predicted-section.ts';
import { receiptSection } from '../../../src/report/page/receipt-section.ts';
import type { Report } from '../../../src/report/report.ts';
import { similarityOrder } from '../../../src/report/similarity-order.ts';
import { confusionMatrixSvg } from '../../../src/report/svg/confusion-matrix-svg.ts';
import { shortened } from '../../../src/report/svg/text-width.ts';
import { pageWords } from '../../support/page-words.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';
import { unjudgedReport } from '../../support/unjudged-report.ts';

const REPORT = syntheticReport(2, 100);
const UNJUDGED = unjudgedReport(3, 100);
const QUALITY = REPORT.quality!;
const [CLASS] = REPORT.classes;
const words = (part: Markup | false) => (part === false ? '' : pageWords(part));
const markup = (part: Markup | false) => (part === false ? '' : part.markup);
const classesOf = (...supports: number[]) =>
  supports.map((support, at) => ({ ...CLASS!, name: `class ${at}`, support }));

test.each([
  ['refused', UNJUDGED, { records: 0, errors: 0 }, 'refused Nothing was predicted.'],
  ['failed', REPORT, { records: 100, errors: 20 }, 'failed 100 of 120 records predicted; '],
] as const)(
  'a run that %s has no figure as the largest words of its page',
  (status, report, figures, text) => {
    const page = headline({ ...report, ...figures, status });
    expect(words(page)).toContain(text);
    expect(page.markup).toContain(`<p class="accuracy ended">${status}</p>`);
  },
);

test('a printed page has room for the whole scale of accuracy', () => {
  const { markup: page } = headline(REPORT);
  const [left = 0, , width = 0] = (/class="scale" viewBox="([^"]*)"/.exec(page)?.[1] ?? '')
    .split(' ')
    .map(Number);
  // Half of "100%" in 12 px.
  expect([left, left + width]).toEqual([
    expect.toSatisfy((at) => at <= -15),
    expect.toSatisfy((at) => at >= 475),
  ]);
});

describe('the line of accuracy', () => {
  const spoken = (quality: object) =>
    /aria-label="([^"]*)"/.exec(headline({ ...REPORT, quality: { ...QUALITY, ...quality } }).markup)?.[1];
  const accuracyInterval = { low: 0.88, high: 0.93 };
  const top = (k: number, accuracy: number) => ({ k, accuracy, interval: accuracyInterval });
  const high = { accuracy: 0.9, accuracyInterval, balancedAccuracy: 0.85, topK: [] };

  test.each([
    ['from 50% where all figures are above 55%', {}, 'from 50% to 100%, balanced 85.0%'],
    ['from 0% for a low average', { balancedAccuracy: 0.3 }, 'from 0% to 100%, balanced 30.0%'],
    [
      'from 0% for a low end of the interval',
      { accuracyInterval: { low: 0.4, high: 1 } },
      'from 0% to 100%, balanced 85.0%',
    ],
    [
      'with the last two top-k figures',
      { topK: [top(1, 0.9), top(2, 0.95), top(3, 0.96), top(5, 0.99)] },
      'from 50% to 100%, balanced 85.0%, top-3 96.0%, top-5 99.0%',
    ],
  ])('goes %s', (_, quality, text) => {
    expect(spoken({ ...high, ...quality })).toBe(`Accuracy 90.0% on a line ${text}`);
  });
});

test.each([
  ['passed', 'good'],
  ['failed', 'bad'],
  ['none', ''],
] as const)('a gate that says %s has the color of %j', (verdict, tone) => {
  const { markup: page } = headline({ ...REPORT, gate: { verdict, explanation: 'because', isSet: false } });
  expect(page).toContain(`<p class="verdict ${tone}">`);
});

test('a quote that is not known is not mentioned', () => {
  const setup = { ...REPORT.setup!, quoteUsd: null };
  expect(words(headline({ ...REPORT, costUsd: 1.5, setup }))).toContain('Cost $1.50 for its jobs Time');
});

describe('mistakes', () => {
  const mistake = {
    key: 'in/a.png',
    recordIndex: 0,
    truth: 'owl',
    predicted: 'kite',
    confidence: 0.9,
    truthScore: 0.05,
  };
  const report = { ...REPORT, mistakes: [mistake] };

  test('show the image itself, named for its file', () => {
    const source = `data:image/png;base64,${'A'.repeat(20_000)}`;
    const page = markup(gallery(report, new Map([['in/a.png', { source, isTiny: false }]]), new Map()));
    expect(page).toContain(`<img src="${source}" alt="a.png">`);
  });

  test('draw a tiny image without smoothing', () => {
    const source = 'data:image/png;base64,AAAA';
    const page = markup(gallery(report, new Map([['in/a.png', { source, isTiny: true }]]), new Map()));
    expect(page).toContain(`<img class="tiny" src="${source}"`);
  });

  test.each([
    ['two words', 'two words in/a.png, record 0'],
    ['x'.repeat(240), `${'x'.repeat(240)} in/a.png, record 0`],
    ['x'.repeat(241), `${'x'.repeat(240)}… in/a.png, record 0`],
  ])('of a file with many records show the text of the record', (text, expected) => {
    const page = gallery(report, new Map(), new Map([[mistake, text]]));
    expect(words(page)).toContain(`owl 5.0% ${expected}`);
    expect(markup(page)).toContain('<br><span class="muted">in/a.png, record 0</span>');
  });
});

describe('the table of classes', () => {
  test('has labels that were met as often as they were said, and curves where any class has them', () => {
    const curve = (value: number) => ({ value, errorBound: 0 });
    const classes = [
      { ...CLASS!, name: 'listed', rocAuc: curve(0.987), averagePrecision: curve(0.5) },
      {
        ...CLASS!,
        name: 'met',
        listed: false,
        support: 2,
        predicted: 2,
        recall: 1,
        rocAuc: null,
        averagePrecision: null,
      },
    ];
    const table = words(classTable({ ...REPORT, classes, confusion: [] }));
    expect(table).toMatch(
      /ROC AUC Avg\. precision .*listed .*98\.70% 50\.0% .*met not in labels\.classes .*– –/,
    );
  });

  test('sorts a figure that is not known below 0%', () => {
    const unknown = { ...CLASS!, precision: null, recall: null, recallInterval: null };
    const table = markup(classTable({ ...REPORT, classes: [unknown], confusion: [] }));
    expect(table.match(/<td data-v="-1">–<\/td>/g)).toHaveLength(2);
  });
});

test('classes that were never predicted are counted where there are any', () => {
  expect(words(predictedSection(UNJUDGED))).toContain('Never predicted: 1 of 3 classes.');
  const classes = UNJUDGED.classes.slice(0, 2);
  expect(words(predictedSection({ ...UNJUDGED, classes }))).not.toContain('Never predicted');
  expect(words(predictedSection(REPORT))).toBe('');
});

test('a run without notes has a receipt', () => {
  expect(words(receiptSection({ ...REPORT, notes: [] }))).toMatch(
    /^Receipt Enough to repeat the run\. Model s3:/,
  );
});

describe('the confusion matrix', () => {
  test('has the share of its row in each cell, and nothing in the row of a class without records', () => {
    const confusion: Report['confusion'] = [
      [0, 0, 3],
      [0, 1, 1],
      [1, 1, 2],
    ];
    const page = markup(matrixSection({ ...REPORT, classes: classesOf(4, 2, 0), confusion }));
    const rows = [...page.matchAll(/<tr><th scope="row" title="([^"]*)">.*?<\/tr>/gs)].map((row) => [
      row[1],
      ...[...row[0].matchAll(/--v:([\d.]+|NaN)">([^<]*)</g)].map((cell) => [cell[1], cell[2]]),
    ]);
    // A confusion has the square root of its share as its strength.
    expect(rows).toEqual([
      ['class 0', ['0.750', '75'], ['0.500', '25'], ['0.000', '']],
      ['class 1', ['0.000', ''], ['1.000', '100'], ['0.000', '']],
      ['class 2', ['0.000', ''], ['0.000', ''], ['0.000', '']],
    ]);
  });

  test.each([
    [30, 'table class="matrix', 'id="plane"'],
    [31, 'id="plane"', 'table class="matrix'],
    [300, 'prefers-color-scheme:dark', 'table class="matrix'],
    [301, 'id="plane"', 'prefers-color-scheme:dark'],
    [2_001, 'A matrix of 2,001 classes cannot be read.', 'id="plane"'],
  ])('of %d classes has %s and not %s', (count, has, hasNot) => {
    const classes = classesOf(...Array.from({ length: count }, () => 1));
    const page = markup(matrixSection({ ...REPORT, classes, confusion: [[0, 0, 1]] }));
    expect(page).toContain(has);
    expect(page).not.toContain(hasNot);
  });

  test('as an image of its own has shapes for up to 120 classes, and no caption without accuracy', () => {
    const drawn = (count: number) => {
      const classes = classesOf(...Array.from({ length: count }, () => 1));
      return confusionMatrixSvg({ ...REPORT, classes, confusion: [[0, 1, 1]], quality: null }).markup;
    };
    expect(drawn(120)).toContain('<title>class 0 as class 1: 1</title>');
    expect(drawn(120)).not.toContain('<image ');
    expect(drawn(121)).toMatch(/<image [^>]*href="data:image\/png;base64,/);
    expect(drawn(121)).not.toMatch(/class 0 as class 1|font-size="12"/);
  });

  test('as an image of its own tells the share that the gate judges on a line of its own, if it is another one', () => {
    const ledger = { ...REPORT.ledger!, labeled: 200, right: 50 };
    const height = (markup: string) => Number(/height="(\d+)" role/.exec(markup)?.[1]);
    const [plain, judged] = [null, ledger].map(
      (own) => confusionMatrixSvg({ ...REPORT, ledger: own }).markup,
    );
    expect(judged).toMatch(/>25\.0% of all 200 labeled<\/text>/);
    expect(height(judged!)).toBe(height(plain!) + 17);
  });
});

test('of more cells than the page carries the rarest confusions are left out', () => {
  const n = 448;
  const classes = classesOf(...Array.from({ length: n }, () => 1_000));
  const confusion = Array.from({ length: n * n }, (_, at): [number, number, number] => [
    Math.floor(at / n),
    at % n,
    at < 704 ? 1 : at === n * n - 1 ? 3 : 2,
  ]);
  const read = (found: Report['confusion']) => {
    const page = pageData({ ...REPORT, classes, confusion: found }).markup;
    const cells: [number, number][] = [];
    unpackCounts(JSON.parse(/id="data">(.*)<\/script>/.exec(page)![1]!).cells, (at, count) =>
      cells.push([at, count]),
    );
    return cells;
  };
  // 448 × 448 is 704 more than 200,000; what is left stays in the order of its cells.
  const cells = read(confusion);
  expect([cells.length, cells[0], cells.at(-1)]).toEqual([200_000, [704, 2], [n * n - 1, 3]]);
  expect(cells.every(([cell], at) => cell === 704 + at)).toBe(true);
  expect(read(confusion.slice(0, 3))).toHaveLength(3);
});

test('classes that are confused with each other are neighbors', () => {
  const classes = classesOf(10, 10, 10, 10, 10);
  // Two pairs, 0 with 3 and 1 with 4; class 2 is a little like 4.
  const confusion: Report['confusion'] = [
    [0, 0, 5],
    [0, 3, 5],
    [3, 0, 5],
    [1, 4, 4],
    [4, 1, 4],
    [2, 4, 1],
  ];
  expect(similarityOrder({ classes, confusion })).toEqual([0, 3, 1, 4, 2]);
  expect(similarityOrder({ classes: [], confusion: [] })).toEqual([]);
});

test('the histograms of confidence say how many answers were right and wrong, and how sure', () => {
  const plot = confidencePlot(
    { right: [0, 1, 0, 3], wrong: [0, 0, 0, 0] },
    { ...QUALITY, meanConfidenceRight: 0.8, meanConfidenceWrong: null },
  ).markup;
  expect(plot).toContain('right answers mean 80.0%, wrong answers none"');
  expect(plot).toMatch(/right<\/tspan> 4, on average 80\.0% sure<.*wrong<\/tspan> 0</s);
  expect(plot).toContain('<title>75.0% to 100.0%: 3</title>');
  expect(plot.match(/<rect/g)).toHaveLength(2);
  const mistaken = { ...QUALITY, meanConfidenceRight: null, meanConfidenceWrong: 0.5 };
  const noneRight = confidencePlot({ right: [0, 0], wrong: [1, 0] }, mistaken).markup;
  expect(noneRight).toContain('right answers none, wrong answers mean 50.0%"');
  expect(noneRight).toMatch(/right<\/tspan> 0<.*wrong<\/tspan> 1, on average 50\.0% sure</s);
});

test.each([
  ['a'.repeat(10), 5.81, 'a'.repeat(10)],
  ['a'.repeat(11), 5.81, `${'a'.repeat(9)}…`],
  ['AAAA', 2.7, 'AAA…'],
  ['鳥鳥鳥', 2.7, '鳥鳥…'],
  ['owl in a barn', 2.9, 'owl…'],
])('%s in a width of %d em is %s', (text, widthEm, expected) => {
  expect(shortened(text, widthEm)).toBe(expected);
});
