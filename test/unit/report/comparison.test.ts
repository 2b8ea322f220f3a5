import { describe, expect, test } from 'vitest';
import { facts } from '../../../src/report/facts.ts';
import { comparisonSection } from '../../../src/report/page/comparison-section.ts';
import { headline } from '../../../src/report/page/headline.ts';
import type { ReportComparison } from '../../../src/report/report-comparison.ts';
import { FLIPS_CSV } from '../../../src/report/table/flips-csv.ts';
import { factLines } from '../../../src/report/text/fact-lines.ts';
import { pageWords } from '../../support/page-words.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const change = (before: number, now: number, low: number, high: number) => ({
  records: 1_000,
  before,
  now,
  change: now - before,
  interval: { low, high },
});
const flip = (key: string, truth: string | null, before: string, now: string) => ({
  key,
  recordIndex: 0,
  truth,
  before,
  now,
  scoreBefore: 0.25,
  scoreNow: 0.75,
});
const COMPARISON: ReportComparison = {
  baseline: 'birds/friday/000001',
  replay: false,
  inputs: { paired: 1_200, changed: 0, added: 0, missing: 0 },
  relabeled: 0,
  answered: 1_100,
  onlyNow: 0,
  onlyBefore: 0,
  identical: 1_000,
  sameClass: 1_050,
  scoreDistance: 0.125,
  bothRight: 900,
  lost: 30,
  gained: 10,
  bothWrong: 60,
  pValue: 0.002,
  exact: true,
  accuracy: change(0.93, 0.91, -0.03, -0.01),
  classes: [
    { name: 'wren', lost: 30, gained: 0, recall: change(0.9, 0.8, -0.2, -0.05) },
    { name: 'kite', lost: 0, gained: 10, recall: change(0.5, 0.55, 0.01, 0.1) },
    { name: 'owl', lost: 0, gained: 0, recall: change(0.5, 0.5, -0.1, 0.1) },
  ],
  flips: [
    flip('a.png', 'wren', 'wren', 'owl'),
    flip('b.png', 'kite', 'owl', 'kite'),
    flip('c.png', null, 'owl', 'kite'),
  ],
};
const REPLAY = { ...COMPARISON, replay: true, lost: 0, gained: 0, onlyNow: 0, onlyBefore: 0 };
const UNJUDGED = { ...COMPARISON, accuracy: null, pValue: null };

const SAME = { identical: 1_100, sameClass: 1_100 };
const CHANGE = 'Change     −2.0 points (95% interval −3.0 to −1.0; McNemar p = 0.002)';

test.each([
  [COMPARISON, [CHANGE, 'Baseline   birds/friday/000001 (on 1,000 records of both: 30 lost, 10 gained)']],
  [
    UNJUDGED,
    ['Baseline   birds/friday/000001 (1,200 inputs in common, none with a truth and both predictions)'],
  ],
  [
    REPLAY,
    [
      CHANGE,
      'Replay of  birds/friday/000001 (1,000 of 1,100 predictions identical; 50 of the same class with a score at ' +
        'most 0.13 apart; 50 of another class)',
    ],
  ],
  [{ ...REPLAY, ...SAME }, [CHANGE, 'Replay of  birds/friday/000001 (1,100 of 1,100 predictions identical)']],
  [
    { ...REPLAY, ...SAME, onlyNow: 1, onlyBefore: 2_000 },
    [
      CHANGE,
      'Replay of  birds/friday/000001 (1,100 of 1,100 predictions identical; 1 only now; 2,000 only before)',
    ],
  ],
])('facts of a comparison', (comparison, lines) => {
  const compared = facts({ ...syntheticReport(2, 100), comparison });
  expect(factLines(compared.filter(({ section }) => section === 'comparison'))).toEqual(lines);
});

describe('on the page', () => {
  const report = syntheticReport(2, 100);
  const section = (comparison: ReportComparison | null) =>
    pageWords(comparisonSection({ ...report, comparison }) || { markup: '' });

  test('nothing without a baseline', () => {
    expect(section(null)).toBe('');
    expect(pageWords(headline({ ...report, comparison: null }))).not.toContain('Baseline');
  });

  test('what changed, whether by chance, by class and by input', () => {
    const words = section(COMPARISON);
    for (const part of [
      'Against the baseline birds/friday/000001 : 1,200 inputs of the same content, 1,100 records with a prediction in both runs.',
      'Accuracy, both runs 93.0% → 91.0% Change −2.0 −3.0 … −1.0 Is it chance? p = 0.002 exact McNemar',
      'Right before, wrong now 30 Wrong before, right now 10 Right, wrong in both 900 and 60',
      // Largest loss first; a class without a change is left out.
      'Gained wren 1,000 90.0% 80.0% −10.0 30 0 kite 1,000 50.0% 55.0% +5.0 0 10 ',
      'Inputs that flipped 50, all in flips.csv',
      'Right before, wrong now: 30, the surest 1 Input Truth Before Now a.png wren wren 25.0% owl 75.0%',
      'Wrong before, right now: 10, the surest 1 Input Truth Before Now b.png kite owl 25.0% kite 75.0%',
      'Another class, right in neither or truth not known: 10, the surest 1 Input Truth Before Now c.png – owl 25.0% kite 75.0%',
    ])
      expect(words).toContain(part);
    expect(words).not.toContain('Left out');
    expect(words).not.toContain('owl 1,000');
    expect(pageWords(headline({ ...report, comparison: COMPARISON }))).toContain(
      'Change −2.0 points 95% interval −3.0 to −1.0; McNemar p = 0.002',
    );
  });

  test('only the losses are open', () => {
    const { markup } = comparisonSection({ ...report, comparison: COMPARISON }) || { markup: '' };
    expect(markup.match(/<details[^>]*><summary>[A-Za-z]+/g)).toEqual([
      '<details open><summary>Right',
      '<details><summary>Wrong',
      '<details><summary>Another',
    ]);
  });

  test.each<[string, ReportComparison, string]>([
    ['a replay', REPLAY, 'Against the run it repeats'],
    ['a replay', REPLAY, '1,000 of 1,100 predictions identical; 50 of the same class'],
    [
      'no truth',
      UNJUDGED,
      'No record has a truth and a prediction in both runs, so accuracy cannot be compared.',
    ],
    ['no class that moved', { ...COMPARISON, classes: [] }, 'No record became right or wrong.'],
    ['no other prediction', { ...COMPARISON, sameClass: 1_100 }, 'No prediction is another one.'],
    ['an approximate test', { ...COMPARISON, exact: false }, 'p = 0.002 McNemar, corrected'],
    [
      'inputs that are left out',
      { ...COMPARISON, inputs: { paired: 1, changed: 1_000, added: 2, missing: 3 } },
      '1 input of the same content, 1,100 records with a prediction in both runs. Left out: 1,000 with other content, ' +
        '2 only here, 3 only there.',
    ],
    [
      'a baseline of unknown size',
      { ...COMPARISON, inputs: { paired: 1, changed: 1, added: 0, missing: null } },
      'Left out: 1 with other content.',
    ],
    [
      'a record and scores that are no probabilities',
      {
        ...COMPARISON,
        flips: [
          { ...flip('a.csv', 'owl', 'owl', 'kite'), recordIndex: 7, scoreBefore: -12.3456, scoreNow: null },
        ],
      },
      'a.csv, record 7 owl owl -12.35 kite',
    ],
    [
      'a score of 0 and one of 1',
      { ...COMPARISON, flips: [{ ...flip('a.csv', 'owl', 'owl', 'kite'), scoreBefore: 0, scoreNow: 1 }] },
      'a.csv owl owl 0.0% kite 100.0%',
    ],
    [
      'a score above 1',
      { ...COMPARISON, flips: [{ ...flip('a.csv', 'owl', 'owl', 'kite'), scoreNow: 4.5 }] },
      'kite 4.5',
    ],
  ])('%s is said', (_, comparison, text) => {
    expect(section(comparison)).toContain(text);
  });

  test('answers that nobody judges are the same or not, and of no class', () => {
    const flips = [{ ...flip('a.csv', null, '[1.5]', '[2.5]'), scoreBefore: null, scoreNow: null }];
    const unjudged = { ...UNJUDGED, lost: 0, gained: 0, classes: [], flips };
    const words = pageWords(
      comparisonSection({ ...report, task: 'none', comparison: unjudged }) || { markup: '' },
    );
    expect(words).toContain('1,050 of 1,100 answers are the same.');
    expect(words).toContain('Another answer: 50, the first 1 Input Before Now a.csv [1.5] [2.5]');
    expect(words).not.toMatch(/class|accuracy|truth/i);
    const replay = pageWords(
      comparisonSection({
        ...report,
        task: 'none',
        comparison: { ...unjudged, replay: true, identical: 1_050 },
      }) || {
        markup: '',
      },
    );
    expect(replay).toContain('1,050 of 1,100 predictions identical; 50 with another answer.');
    const [line] = factLines(
      facts({ ...report, task: 'none', comparison: unjudged }).filter(
        ({ section }) => section === 'comparison',
      ),
    );
    expect(line).toBe('Baseline   birds/friday/000001 (1,050 of 1,100 answers are the same)');
  });

  test('a score that is not known is left out, and so is a kind of flip without one', () => {
    const flips = [{ ...flip('a.csv', 'owl', 'owl', 'kite'), scoreBefore: null, scoreNow: null }];
    expect(section({ ...COMPARISON, flips })).toMatch(/a\.csv owl owl kite$/);
  });

  test('a loss of recall is drawn in the color of mistakes, within its interval', () => {
    const { markup } = comparisonSection({ ...report, comparison: COMPARISON }) || { markup: '' };
    // The widest interval, of wren, reaches from −0.2: that is the left edge, 5, and 0 is the middle, 110.
    expect(markup).toMatch(
      /aria-label="−20\.0 to −5\.0"><line [^>]*x1="110\.0".*?<rect class="fw" opacity="\.4" x="5\.0" width="78\.8".*?<circle class="fw" cx="57\.5"/,
    );
    expect(markup).toMatch(
      /aria-label="\+1\.0 to \+10\.0">.*?<rect class="fr" opacity="\.4" x="115\.3" width="47\.3".*?<circle class="fr" cx="136\.3"/,
    );
  });

  test('the headline of a replay names it', () => {
    expect(pageWords(headline({ ...report, comparison: REPLAY }))).toContain(
      'Change −2.0 points 95% interval −3.0 to −1.0; McNemar p = 0.002 Replay of birds/friday/000001',
    );
    expect(pageWords(headline({ ...report, comparison: UNJUDGED }))).not.toContain('Change');
  });

  test('of many classes those that moved most are shown, and of each kind of flip twenty', () => {
    const classes = Array.from({ length: 30 }, (_, at) => ({
      name: `class ${at}.`,
      lost: 1,
      gained: 0,
      recall: change(0.5, 0.5 - at / 100, -0.5, 0.1),
    }));
    const flips = Array.from({ length: 25 }, (_, at) => flip(`${at}.png`, 'owl', 'owl', 'kite'));
    const words = section({ ...COMPARISON, classes, flips });
    expect(words).toContain('the 24 that moved most of 30');
    expect(words).not.toContain('class 5.');
    expect(words.indexOf('class 29.')).toBeLessThan(words.indexOf('class 6.'));
    expect(words).toContain('wrong now: 30, the surest 20');
    expect(words.match(/\d+\.png/g)).toHaveLength(20);
    const all = section({
      ...COMPARISON,
      classes: classes.slice(0, 24),
      lost: 25,
      gained: 0,
      flips: flips.slice(5),
    });
    expect(all).not.toContain('that moved most');
  });
});

test('a line of flips.csv', () => {
  expect(FLIPS_CSV.line(flip('a,b.png', 'owl', 'owl', 'kite'))).toBe(
    '"a,b.png",0,,,lost,owl,owl,kite,0.25,0.75\r\n',
  );
  expect(
    FLIPS_CSV.line({ ...flip('a', null, 'owl', 'kite'), recordIndex: 3, scoreBefore: null, scoreNow: -2 }),
  ).toBe('a,3,,,changed,,owl,kite,,-2\r\n');
});
