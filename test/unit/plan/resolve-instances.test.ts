import { expect, test } from 'vitest';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { resolveImages } from '../../../src/plan/judge/resolve-images.ts';
import { resolvePrices } from '../../../src/plan/quote/resolve-cost.ts';
import { priceTable } from '../../../src/price/price-table.ts';
import { PIPELINE } from '../../support/drop-fixture.ts';

const FIELD = 'transform.instanceTypes';
const BOUNDS = [
  { field: 'limits.maxCostUsd', usd: null },
  { field: 'limits.maxCostUsdPerDay', usd: 9 },
];
const prices = (types: readonly string[], bounds = BOUNDS, override?: Parameters<typeof resolvePrices>[2]) =>
  resolvePrices({ types, field: FIELD, bounds }, 'us-east-1', override);

test('prices are those of the table, or those that were given', () => {
  expect(prices(['ml.m5.xlarge', 'ml.g4dn.xlarge'])).toEqual({
    pricesUsd: { 'ml.m5.xlarge': 0.2304, 'ml.g4dn.xlarge': 0.7364 },
    source: 'table',
    date: priceTable.date,
    notes: [],
    problems: [],
  });
  const given = { date: '2026-01-01', usdPerHour: { 'ml.zz9.xlarge': 1.5 } } as Parameters<
    typeof resolvePrices
  >[2];
  expect(prices(['ml.zz9.xlarge'], BOUNDS, given)).toEqual({
    pricesUsd: { 'ml.zz9.xlarge': 1.5 },
    source: 'override',
    date: '2026-01-01',
    notes: [],
    problems: [],
  });
  expect(prices([])).toMatchObject({ source: 'unknown', date: priceTable.date });
});

test.each([
  [['ml.m5.xlagre'], 0, '; did you mean ml.m5.xlarge\\? Correct it'],
  [['ml.m5.xlarge', 'ml.g4dn.3xlarge'], 1, '; did you mean ml.g4dn.'],
  [['qwertz'], 0, '; correct it'],
])('of %j, number %d is misspelt%s', (types, at, suggestion) => {
  const { problems, notes } = prices(types);
  expect(notes).toEqual([]);
  expect(problems).toEqual([
    {
      file: 'pipeline.json',
      field: `${FIELD}.${at}`,
      value: JSON.stringify(types[at]),
      message: expect.stringMatching(new RegExp(`^is not a known instance type${suggestion}`)),
    },
  ]);
});

test('a price that is not known is refused where a bound depends on it, and noted else', () => {
  const missing = `the price of ml.zz9.xlarge, ml.zz8.xlarge in us-east-1 is not in the table of ${priceTable.date}`;
  const types = ['ml.m5.xlarge', 'ml.zz9.xlarge', 'ml.zz8.xlarge'];
  expect(prices(types)).toMatchObject({
    notes: [],
    problems: [
      {
        file: 'pipeline.json',
        field: FIELD,
        value: '["ml.zz9.xlarge","ml.zz8.xlarge"]',
        message:
          `cannot be held within limits.maxCostUsdPerDay 9: ${missing}. Add it to pipelines/prices.json: ` +
          '{"date": "YYYY-MM-DD", "usdPerHour": {"ml.zz9.xlarge": 1.23}}, or set limits.maxCostUsd and limits.maxCostUsdPerDay to null',
      },
    ],
  });
  expect(prices(types, [{ field: 'limits.maxCostUsd', usd: null }])).toMatchObject({
    problems: [],
    notes: [`${missing}: the cost of this run is not known`],
    source: 'table',
    pricesUsd: { 'ml.zz9.xlarge': null },
  });
});

test('a type that AWS has is not misspelt where the table lacks its region', () => {
  expect(
    resolvePrices({ types: ['ml.m5.xlarge'], field: FIELD, bounds: [] }, 'xx-nowhere-1', undefined),
  ).toMatchObject({
    problems: [],
    pricesUsd: { 'ml.m5.xlarge': null },
    notes: [expect.stringContaining('the price of ml.m5.xlarge in xx-nowhere-1 is not in the table')],
  });
});

const images = (instanceTypes: readonly string[], model: object = {}) =>
  resolveImages(
    PipelineConfig.parse({
      ...PIPELINE,
      model: { ...PIPELINE.model, ...model },
      transform: { instanceTypes },
    }),
    'us-east-1',
  );

test.each<[readonly string[], object, readonly (readonly [string, string | RegExp])[]]>([
  [['ml.m5.xlarge', 'ml.c5.xlarge'], {}, []],
  [['ml.m5.xlarge', 'ml.g4dn.xlarge'], { image: 'own' }, []],
  [
    ['ml.m5.xlarge', 'ml.g4dn.xlarge'],
    {},
    [
      [
        FIELD,
        "must all run the same container, but some have a GPU and some don't: name one kind only, or give model.image",
      ],
    ],
  ],
  [
    ['ml.m5.xlarge', 'ml.m6g.xlarge', 'ml.p5.48xlarge'],
    { image: 'own' },
    [
      [`${FIELD}.1`, /^is not an instance type of batch transform: use one such as/],
      [`${FIELD}.2`, /^is not an instance type of batch transform/],
    ],
  ],
  [
    ['ml.m5.xlarge', 'ml.c5.xlarge'],
    { frameworkVersion: '9.9' },
    [['model.frameworkVersion', /^AWS has no tensorflow inference container of version 9.9/]],
  ],
  [
    ['ml.m5.xlarge', 'ml.m6g.xlarge'],
    { frameworkVersion: '9.9' },
    [
      ['model.frameworkVersion', /container of version 9.9: the nearest/],
      ['model.frameworkVersion', /container of version 9.9 for Graviton instances: the nearest/],
      [`${FIELD}.1`, /^is not an instance type of batch transform/],
    ],
  ],
  [
    ['ml.m5.xlarge', 'ml.inf2.xlarge'],
    {},
    [[`${FIELD}.1`, /^AWS has no tensorflow inference container for inf2/]],
  ],
  [
    ['ml.inf2.xlarge', 'ml.trn1.2xlarge', 'ml.inf2.xlarge'],
    {},
    [
      [`${FIELD}.0`, /container for inf2/],
      [`${FIELD}.1`, /container for trn1/],
      [`${FIELD}.2`, /container for inf2/],
    ],
  ],
])('the containers of %j with %j', (types, model, problems) => {
  const resolved = images(types, model);
  expect(resolved.problems).toEqual(
    problems.map(([field, message]) => ({
      file: 'pipeline.json',
      field,
      value: expect.stringMatching(/./),
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    })),
  );
  if (problems.length === 0)
    expect(resolved.imageUri).toContain('image' in model ? 'own' : 'tensorflow-inference:2.20-cpu');
});
