import { expect, test } from 'vitest';
import { hostOfStream } from '../../../src/training/host-of-stream.ts';
import { readsMetrics } from '../../../src/training/log-metrics.ts';
import { metricCurves } from '../../../src/training/metric-curves.ts';

const METRICS = [
  { name: 'loss', regex: 'loss: ([0-9.]+|nan)' },
  { name: 'step', regex: 'step=(\\S*)' },
];
const at = (second: number): Date => new Date(second * 1000);

test('curves are by metric and host, in the order of the settings and of the hosts', () => {
  const reader = metricCurves(METRICS);
  for (const [second, host, text] of [
    [1, 'algo-10', 'loss: 3'],
    [2, 'algo-2', 'epoch 1 step=5 loss: 0.5'],
    [3, 'algo-2', 'loss: nan'],
    [4, 'algo-2', 'step= and nothing'],
  ] as const)
    reader.add({ host, at: at(second), text });
  const { series, logEnd } = reader.curves();
  expect(series).toEqual([
    {
      metric: 'loss',
      host: 'algo-2',
      count: 2,
      points: [
        { at: at(2).toISOString(), value: 0.5 },
        { at: at(3).toISOString(), value: null },
      ],
    },
    { metric: 'loss', host: 'algo-10', count: 1, points: [{ at: at(1).toISOString(), value: 3 }] },
    {
      metric: 'step',
      host: 'algo-2',
      count: 2,
      points: [
        { at: at(2).toISOString(), value: 5 },
        { at: at(4).toISOString(), value: null },
      ],
    },
  ]);
  expect(logEnd.map(({ host, lines }) => [host, lines.length])).toEqual([
    ['algo-2', 3],
    ['algo-10', 1],
  ]);
});

test.each([
  ['a value', 'loss: 0.5', 0.5],
  ['a value among spaces', 'loss:  7 ', 7],
  ['no number', 'loss: nan', null],
  ['nothing but spaces', 'loss:   ', null],
  ['a group that took no part', 'other', null],
  ['another line', 'epoch 1', undefined],
])('of a line, %s is read as it is', (_, line, value) => {
  const read = readsMetrics([{ name: 'loss', regex: 'loss:(.*)|other' }]);
  expect(read(line)).toEqual(
    value === undefined ? [] : [{ name: 'loss', value, isNaN: line === 'loss: nan' }],
  );
});

test.each([10_001, 10_000])(
  'a curve of %d values keeps points that are spread evenly over it, and its last value',
  (count) => {
    const reader = metricCurves(METRICS);
    for (let step = 0; step < count; step++)
      reader.add({ host: 'algo-1', at: at(step), text: `loss: ${step}` });
    const [curve] = reader.curves().series;
    const values = curve!.points.map(({ value }) => value!);
    expect(curve!.count).toBe(count);
    expect(values.length).toBeGreaterThanOrEqual(500);
    expect(values.length).toBeLessThanOrEqual(1_001);
    expect(values[0]).toBe(0);
    expect(values.at(-1)).toBe(count - 1);
    const gaps = new Set(values.slice(1, -1).map((value, index) => value - values[index]!));
    expect(gaps.size).toBe(1);
  },
);

test('the end of a log is short, however long its lines are', () => {
  const reader = metricCurves([]);
  for (let line = 0; line < 100; line++)
    reader.add({ host: 'algo-1', at: at(line), text: `${line} ${'x'.repeat(9_999)}` });
  const { lines } = reader.curves().logEnd[0]!;
  expect(lines).toHaveLength(50);
  expect(lines[0]!.slice(0, 3)).toBe('50 ');
  expect(lines.every((line) => line.length === 500)).toBe(true);
});

test('hosts are known by the names of their streams', () => {
  expect(hostOfStream('job-1/algo-12-1700000000')).toBe('algo-12');
  expect(hostOfStream('other')).toBe('other');
});

test.each([
  ['loss: ([0-9.]+)', 'loss: nan', [null]],
  ['loss: ([0-9.]+)', 'loss: 1.5', [1.5]],
  ['loss: ([0-9.]+)', 'train loss: -Infinity, acc 1', [null]],
  ['loss=([-+]?\\d+(?:\\.\\d+)?) ', 'loss=NaN ok', [null]],
  ['(?i)Loss \\[(?P<value>[^)\\]]+)\\]', 'loss [inf]', [Infinity]],
  ['[[:alpha:])(]+ (\\d+)', 'ab nan', [null]],
  ['loss: ([0-9.]+)?;', 'loss: nan;', [null]],
  ['loss: ([0-9.]+)', 'loss: nanometres', []],
  ['loss: ([0-9.]+)', 'information on nan', []],
  ['\\Qloss(\\E([0-9]+)', 'loss(nan', []],
])('%s reads %s as %j', (regex, line, values) => {
  const read = readsMetrics([{ name: 'loss', regex }])(line).map(({ value }) => value);
  expect(read).toEqual(values.map((value) => (Number.isFinite(value) ? value : null)));
});
