import { expect, test } from 'vitest';
import type { GateBounds, GateEvidence } from '../../../src/gate/gate-check.ts';
import { sliceChecks } from '../../../src/gate/slice-check.ts';
import type { Metrics } from '../../../src/metric/metrics.ts';

type Counts = readonly [value: string, right: number, count: number];

const nothing = { right: 0, count: 0 };
const site = (values: readonly Counts[], none = nothing, other = nothing) => ({
  name: 'site',
  values: values.map((counts): [string, number, number] => [...counts]),
  none,
  other,
});
const bound = (minAccuracy: number, minInputs = 30) => ({ minAccuracy, minInputs });

function judged(
  slices: GateBounds['slices'],
  dimensions: NonNullable<GateEvidence['slices']>,
  labelled = 1_000,
  { confidence, sample }: Pick<GateBounds, 'confidence'> & Pick<GateEvidence, 'sample'> = {},
) {
  const metrics = { inputs: labelled, predicted: labelled, labelled } as Metrics;
  const checks = sliceChecks(
    { slices, confidence },
    {
      ...{ metrics, sample },
      slices: dimensions,
      classes: [],
      comparison: undefined,
      first: false,
    },
  );
  return checks.map(({ verdict, says }) => `${verdict}: ${says}`);
}

test.each<[string, GateBounds['slices'], ReturnType<typeof site>, string[]]>([
  ['no bound', undefined, site([['A', 1, 100]]), []],
  [
    'a named slice that reaches its minimum',
    { 'site=A': bound(0.85) },
    site([['A', 85, 100]]),
    ['passed: accuracy of 1 slice reaches its minimum'],
  ],
  [
    'a named slice below it',
    { 'site=A': bound(0.85) },
    site([['A', 84, 100]]),
    ['failed: accuracy is too low: site=A 84% of 100 (minimum 85%)'],
  ],
  [
    'a named slice with too few records: no verdict, however good they are',
    { 'site=A': bound(0.85) },
    site([['A', 29, 29]]),
    ['none: gate.slices cannot be judged: site=A has 29 labelled records of the 30 that it needs'],
  ],
  [
    'a named slice that the drop lacks does not pass in silence',
    { 'site=B': bound(0.85), 'site=A': bound(0.1) },
    site([['A', 100, 100]]),
    ['none: gate.slices cannot be judged: site=B has 0 labelled records of the 30 that it needs'],
  ],
  [
    'records without a value are a slice with a name',
    { 'site=': bound(0.9) },
    site([['A', 100, 100]], { right: 40, count: 50 }),
    ['failed: accuracy is too low: site= 80% of 50 (minimum 90%)'],
  ],
  [
    'the asterisk stands for all others, those without a value too',
    { 'site=A': bound(0.1), '*': bound(0.9) },
    site(
      [
        ['A', 20, 100],
        ['B', 89, 100],
        ['C', 90, 100],
      ],
      { right: 10, count: 40 },
    ),
    ['failed: accuracy is too low: site= 25% of 40 (minimum 90%), site=B 89% of 100 (minimum 90%)'],
  ],
  [
    'small slices are judged together: a weak folder that is split into many does not escape',
    { '*': bound(0.8) },
    site([
      ['A', 95, 100],
      ['b1', 5, 20],
      ['b2', 5, 20],
    ]),
    ['failed: accuracy is too low: site (its small slices together) 25% of 40 (minimum 80%)'],
  ],
  [
    'values beyond the thousandth are judged with the small ones',
    { '*': bound(0.8) },
    site([['A', 95, 100]], nothing, { right: 10, count: 40 }),
    ['failed: accuracy is too low: site (its small slices together) 25% of 40 (minimum 80%)'],
  ],
  [
    'a few records left over do not keep it from a verdict',
    { '*': bound(0.8) },
    site([
      ['A', 95, 100],
      ['b', 0, 29],
    ]),
    ['passed: accuracy of 1 slice reaches its minimum'],
  ],
  [
    'nothing but a few records gives no verdict',
    { '*': bound(0.8) },
    site([
      ['A', 10, 10],
      ['b', 10, 10],
    ]),
    [
      'none: gate.slices cannot be judged: site (its small slices together) has 20 labelled records of the 30 that it needs',
    ],
  ],
  [
    'minInputs of the bound counts',
    { '*': bound(0.8, 10) },
    site([['A', 7, 10]]),
    ['failed: accuracy is too low: site=A 70% of 10 (minimum 80%)'],
  ],
])('%s', (_, bounds, dimension, says) => {
  expect(judged(bounds, [dimension])).toEqual(says);
});

test('of many weak slices the three farthest below their bound are named', () => {
  const values = Array.from({ length: 6 }, (_, at): Counts => [`s${at}`, 40 + at, 100]);
  expect(judged({ '*': bound(0.9) }, [site(values)])).toEqual([
    'failed: accuracy is too low: site=s0 40% of 100 (minimum 90%), site=s1 41% of 100 (minimum 90%), site=s2 42% of 100 (minimum 90%) and of 3 more slices',
  ]);
});

test('failure and too few are told side by side, failure first', () => {
  const found = judged({ 'site=A': bound(0.9), 'site=B': bound(0.9) }, [site([['A', 50, 100]])]);
  expect(found.map((says) => says.split(':')[0])).toEqual(['failed', 'none']);
});

test('without a label it fails, as the other bounds on labels do', () => {
  expect(judged({ '*': bound(0.8) }, [site([])], 0)).toEqual([
    'failed: slices have a minimum and cannot be judged: the run has no inputs',
  ]);
});

test('a named slice of one dimension does not spare another its asterisk', () => {
  const dimensions = [
    site([['A', 20, 20]]),
    { ...site([]), name: 'shift', values: [['day', 0, 20]] as [string, number, number][] },
  ];
  expect(judged({ 'site=A': bound(0.9, 1), '*': bound(0.8) }, dimensions)).toEqual([
    'none: gate.slices cannot be judged: shift (its small slices together) has 20 labelled records of the 30 that it needs',
  ]);
});

test('with a confidence each slice must prove its minimum, and the sentence says what it proves', () => {
  // Wilson's one-sided lower end at 95 % (z = 1.6449): of 90 right of 100 it is 0.8396, of 95 of 100 it is 0.9004, by hand.
  const sites = [
    site([
      ['A', 90, 100],
      ['B', 95, 100],
      ['C', 80, 100],
    ]),
  ];
  expect(judged({ '*': bound(0.85) }, sites, 1_000, { confidence: 0.95 })).toEqual([
    'failed: accuracy is too low: site=C 80% of 100 (minimum 85%)',
    'failed: accuracy is not proven at 95% confidence: site=A 90% of 100 proves at least 83.96% (minimum 85%); more labelled records would prove more',
  ]);
  expect(judged({ 'site=B': bound(0.9) }, sites, 1_000, { confidence: 0.95 })).toEqual([
    'passed: accuracy of 1 slice reaches its minimum at 95% confidence',
  ]);
  expect(judged({ 'site=B': bound(0.9) }, sites, 1_000, { confidence: null })).toEqual([
    'passed: accuracy of 1 slice reaches its minimum',
  ]);
});

test('what a sample of half the drop proves of a slice is what twice as many records and no drop would', () => {
  const sites = [site([['A', 90, 100]])];
  const sample = { inputs: 500, of: 1_000, strata: [] };
  // (100 − 0.5) ÷ (1 − 0.5) = 199 records: Wilson's lower end of 90 % of 199 is 0.8595, by hand.
  expect(judged({ 'site=A': bound(0.86) }, sites, 1_000, { confidence: 0.95, sample })).toEqual([
    'failed: accuracy is not proven at 95% confidence: site=A 90% of 100 proves at least 85.95% (minimum 86%); more labelled records would prove more',
  ]);
  expect(judged({ 'site=A': bound(0.859) }, sites, 1_000, { confidence: 0.95, sample })).toEqual([
    'passed: accuracy of 1 slice reaches its minimum at 95% confidence',
  ]);
});
