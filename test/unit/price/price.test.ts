import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePrices } from '../../../src/price/price-override.ts';
import { priceTable, resolveHourlyPrice } from '../../../src/price/price-table.ts';
import { costUsd, objectsWithin, quoteSeconds, totalCostUsd } from '../../../src/price/quote.ts';

const override = { date: '2026-02-01', usdPerHour: { 'ml.m5.xlarge': 0.1 } };

test.each([
  ['ml.m5.large', 0.1152],
  ['ml.m5.xlarge', 0.2304],
  ['ml.m5.24xlarge', 5.5296],
  ['ml.c5.18xlarge', 3.672],
  ['ml.g4dn.xlarge', 0.7364],
])('%s costs %d US dollars an hour in us-east-1', (type, usd) => {
  expect(resolveHourlyPrice(type, 'us-east-1', { table: priceTable })).toEqual({
    usd,
    source: 'table',
    date: priceTable.date,
  });
});

test('other regions cost more', () => {
  expect(resolveHourlyPrice('ml.m5.xlarge', 'eu-central-1', { table: priceTable }).usd).toBe(0.2765);
});

test('an override wins, for what it names', () => {
  expect(resolveHourlyPrice('ml.m5.xlarge', 'mars-1', { table: priceTable, override })).toEqual({
    usd: 0.1,
    source: 'override',
    date: '2026-02-01',
  });
  expect(resolveHourlyPrice('ml.c5.xlarge', 'us-east-1', { table: priceTable, override }).source).toBe(
    'table',
  );
});

test.each([
  ['ml.m99.xlarge', 'us-east-1'],
  ['ml.m5.xlarge', 'mars-1'],
])('the price of %s in %s is unknown, never zero', (type, region) => {
  expect(resolveHourlyPrice(type, region, { table: priceTable })).toMatchObject({
    usd: null,
    source: 'unknown',
  });
});

test('every price is that of an instance, and is above zero', () => {
  for (const [type, usd] of Object.entries(priceTable.usdPerHour)) {
    expect(type).toMatch(/^ml\.[a-z0-9]+\.(?:medium|\d*x?large)$/);
    expect(usd).toBeGreaterThan(0);
  }
});

test('a job that is quoted to fit into a time fits into it', () => {
  const work = fc.record({
    objects: fc.integer({ min: 1, max: 10_000_000 }),
    bytes: fc.integer({ min: 1, max: 1e13 }),
    instanceCount: fc.integer({ min: 1, max: 100 }),
    maxConcurrentTransforms: fc.integer({ min: 1, max: 64 }),
  });
  fc.assert(
    fc.property(work, (given) => {
      const objects = objectsWithin(7200, given);
      const bytes = (given.bytes / given.objects) * objects;
      if (objects > 1) expect(quoteSeconds({ ...given, objects, bytes })).toBeLessThanOrEqual(7201);
    }),
  );
});

test('a quote is the start, the requests by what works on them at once, and the bytes by instance', () => {
  const work = { objects: 800, bytes: 100_000_000, instanceCount: 2, maxConcurrentTransforms: 4 };
  expect(quoteSeconds(work)).toBe(60 + 10 + 1);
  expect(quoteSeconds({ ...work, instanceCount: 1 })).toBe(60 + 20 + 2);
  // Beyond eight requests an instance they only wait.
  expect(quoteSeconds({ ...work, maxConcurrentTransforms: 64 })).toBe(60 + 5 + 1);
  // 800 inputs in four bundles: two requests on each instance, where it could work on four.
  expect(quoteSeconds({ ...work, inputsPerRequest: 200 })).toBe(60 + 20 + 1);
});

test('objects fit into a time by requests and bytes, at least one', () => {
  const work = { objects: 1000, bytes: 5_000_000_000, instanceCount: 1, maxConcurrentTransforms: 1 };
  expect(objectsWithin(160, work)).toBe(500);
  expect(objectsWithin(160, { ...work, instanceCount: 2 })).toBe(1000);
  expect(objectsWithin(160, { ...work, objects: 0, bytes: 0 })).toBe(1000);
  expect(objectsWithin(60, work)).toBe(1);
});

test('a cost is seconds by instances by price', () => {
  expect(costUsd(1800, 2, 0.5)).toBe(0.5);
});

test('a price list of the account is read, and what is wrong with it is said', () => {
  const list = { date: '2026-02-01', usdPerHour: { 'ml.m5.xlarge': 0.1, 'ml.g4dn.xlarge': 0 } };
  expect(parsePrices(JSON.stringify({ $schema: 'x', ...list }))).toEqual({ $schema: 'x', ...list });
  const wrong: [unknown, RegExp][] = [
    [{ ...list, date: 'today' }, /^is not a price list: .*date/s],
    [{ ...list, usdPerHour: { 'm5.xlarge': 1 } }, /^is not a price list: .*m5\.xlarge/s],
    [{ ...list, usdPerHour: { 'ml.m5.xlarge': -1 } }, /^is not a price list: .*ml\.m5\.xlarge/s],
    [{ ...list, eurPerHour: {} }, /^is not a price list: .*eurPerHour/s],
    [undefined, /^is not JSON: /],
  ];
  for (const [value, message] of wrong)
    expect(parsePrices(JSON.stringify(value) ?? '{')).toEqual({ message: expect.stringMatching(message) });
});

test('a cost that is not known makes the sum unknown', () => {
  expect(totalCostUsd([])).toBe(0);
  expect(totalCostUsd([{ costUsd: 0.5 }, { costUsd: 0 }, { costUsd: 0.25 }])).toBe(0.75);
  expect(totalCostUsd([{ costUsd: 0.5 }, { costUsd: null }, { costUsd: 0.25 }])).toBeNull();
});
