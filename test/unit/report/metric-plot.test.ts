import { expect, test } from 'vitest';
import { metricPlot } from '../../../src/report/training/metric-plot.ts';
import type { TrainingReport } from '../../../src/report/training/training-report.ts';
import { short } from '../../../src/text/figures.ts';

const plotOf = (...hosts: TrainingReport['metrics'][number]['hosts']) =>
  metricPlot({ name: 'loss', final: null, hosts }).markup;
const host = (name: string, ...values: (number | null)[]) => ({ host: name, count: values.length, values });

test('a curve has a line a host, a gap and a cross where a value is not a number', () => {
  const plot = plotOf(host('algo-1', 0, 1, null, 0.5));
  expect(plot).toContain('aria-label="loss by step, 1 host: algo-1 from 0 to 0.5"');
  expect(plot).toContain('d="M0.0,190.0h0L153.3,0.0M460.0,95.0h0"');
  expect(plot.match(/<text class="fw" x="306\.7"[^>]*>×/g)).toHaveLength(1);
  expect(plot).toContain('<circle class="fr" cx="460.0" cy="95.0"');
  expect(plot).toMatch(/>1<\/text>.*>4<\/text>.*>step<\/text>/);
});

test('the axis covers the numbers alone: the least at the bottom, the greatest at the top', () => {
  const plot = plotOf(host('algo-1', 2, null, 4, null));
  expect(plot).toMatch(/y1="190\.0" y2="190\.0"\/><text [^>]*>2<.*y1="0\.0" y2="0\.0"\/><text [^>]*>4</s);
  expect(plot).toContain('d="M0.0,190.0h0M306.7,0.0h0"');
  expect(plot).toContain('<circle class="fr" cx="306.7" cy="0.0"');
  expect(plot.match(/>×</g)).toHaveLength(2);
});

test('a metric without a number has an axis from 0 to 1, and no curve', () => {
  const plot = plotOf(host('algo-1', null, null));
  expect(plot).toMatch(/y1="190\.0" y2="190\.0"\/><text [^>]*>0<.*y1="0\.0" y2="0\.0"\/><text [^>]*>1</s);
  expect(plot).not.toMatch(/<circle|NaN|Infinity/);
});

test('values that were left out lie between those that are kept', () => {
  expect(plotOf({ host: 'algo-1', count: 5, values: [0, 1, 0] })).toContain(
    'd="M0.0,190.0h0L230.0,0.0L460.0,190.0"',
  );
  const single = plotOf({ host: 'algo-1', count: 1, values: [3] });
  expect(single).toContain('one step');
  expect(single).not.toMatch(/>step<|<text[^>]*>algo/);
  // The only value that was kept of five is the last.
  expect(plotOf({ host: 'algo-1', count: 5, values: [3] })).toContain(
    '<circle class="fr" cx="460.0" cy="95.0"',
  );
});

test('several hosts are told apart by their lines, many are not', () => {
  const few = plotOf(host('algo-1', 0, 1), host('algo-2', null, null));
  expect(few).toContain('2 hosts: algo-1 from 0 to 1, algo-2 no number');
  expect(few.match(/stroke-dasharray="6 4"/g)).toHaveLength(2);
  expect(few.match(/>algo-2<\/text>/g)).toHaveLength(1);
  expect(plotOf(...[1, 2, 3, 4].map((at) => host(`algo-${at}`, 0, 1)))).toMatch(/<text[^>]*>algo-4</);
  const many = plotOf(...Array.from({ length: 5 }, (_, at) => host(`algo-${at}`, 0, 1)));
  expect(many).not.toMatch(/<text[^>]*>algo|<circle|stroke-dasharray="6 4"/);
  expect(many.match(/stroke-width="1" opacity="0.45"/g)).toHaveLength(5);
  expect(many).not.toContain('algo-4 from');
});

test('a value is shown in four digits', () => {
  expect([0.312345, 12345.6, -1e-9, 2].map((value) => short(value))).toEqual([
    '0.3123',
    '12350',
    '-1e-9',
    '2',
  ]);
});
