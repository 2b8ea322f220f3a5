import { expect, test } from 'vitest';
import { mistakeLines } from '../../../src/cli/show/mistake-lines.ts';
import type { Report } from '../../../src/report/report.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const report = syntheticReport(2, 100);
const quality = { ...report.quality!, labeled: 1_000, correct: 958 };
const mistake = (key: string, confidence: number | null, recordIndex = 0): Report['mistakes'][number] => ({
  key,
  recordIndex,
  confidence,
  truth: 'cat',
  predicted: 'dog\u001b',
  truthScore: null,
});

test('the surest mistakes come with both classes, their confidence and the input', () => {
  const mistakes = [mistake('incoming/pets/a/x.png', 0.998), mistake('incoming/pets/a/y.png', 0.7)];
  expect(mistakeLines({ ...report, quality, mistakes: [...mistakes, mistake('z', 0.6)] }, 2)).toEqual([
    '2 of 42 mistakes, the most confident first:',
    'confidence  predicted  truth  input',
    '     99.8%  dog\\u{1b}  cat    incoming/pets/a/x.png',
    '     70.0%  dog\\u{1b}  cat    incoming/pets/a/y.png',
  ]);
});

test('a model without probabilities has none shown', () => {
  const opened = { ...mistake('b.csv', null, 9), line: 11 };
  expect(mistakeLines({ ...report, quality, mistakes: [mistake('a.csv', null, 7), opened] }, 5)).toEqual([
    '2 of 42 mistakes, the most confident first:',
    'confidence  predicted  truth  input',
    '         –  dog\\u{1b}  cat    a.csv, record 7',
    '         –  dog\\u{1b}  cat    b.csv, record 9 (line 11)',
  ]);
});

test('a run without mistakes, or without labels, says so', () => {
  const right = { ...quality, correct: 1_000 };
  expect(mistakeLines({ ...report, quality: right, mistakes: [] }, 5)).toEqual([
    'No mistakes in 1,000 labeled records.',
  ]);
  expect(mistakeLines({ ...report, quality: null, mistakes: [] }, 5)).toEqual([
    `${report.run} has no labels: nothing is known to be wrong.`,
  ]);
});
