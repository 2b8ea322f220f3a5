import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readExecutionInput, toExecutionInput, toExecutionName } from '../../../src/run/execution-name.ts';
import { toReportName } from '../../../src/run/report-name.ts';
import { aRun } from '../../support/a-run.ts';

const run = aRun('cifar10/monday/000001');

it('names an execution readably', () => {
  expect(toExecutionName(run)).toMatch(/^cifar10-monday-000001-[0-9a-f]{16}$/);
  expect(toExecutionInput(run)).toBe('{"schema":1,"run":"cifar10/monday/000001"}');
});

it('gives every drop a name that Step Functions takes, and no two the same', () => {
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }), (drop) => {
      const name = toExecutionName({ ...run, drop });
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,80}$/);
      expect(seen.get(name) ?? drop).toBe(drop);
      seen.set(name, drop);
    }),
  );
});

it('keeps runs apart that look alike', () => {
  const drops = ['a b', 'a-b', 'a+b', 'Ä', 'Ö'];
  expect(new Set(drops.map((drop) => toExecutionName({ ...run, drop }))).size).toBe(drops.length);
});

it('cuts the readable part of a long name, and nothing else', () => {
  const name = toExecutionName({ ...run, drop: 'd'.repeat(300) });
  expect(name).toMatch(/^cifar10-d{48}-000001-[0-9a-f]{16}$/);
  expect(name).toHaveLength(80);
  expect(toExecutionName({ ...run, drop: 'a  b\u00e9/c' })).toMatch(/^cifar10-a-b-c-000001-/);
});

it('names the report of a dead run by the day, and keeps the hash that distinguishes runs', () => {
  const now = new Date('2026-03-01T23:59:59.999Z');
  expect(toReportName(run, now)).toBe(`2026-03-01-${toExecutionName(run)}`);
  const long = { ...run, drop: 'd'.repeat(300) };
  expect(toReportName(long, now)).toHaveLength(80);
  expect(toReportName(long, now)).toMatch(/^2026-03-01-d+-000001-/);
  expect(toReportName(long, now).slice(-24)).toBe(toExecutionName(long).slice(-24));
});

it('reads the run of an execution, and nothing else', () => {
  expect(readExecutionInput(toExecutionInput(run))).toEqual(run);
  for (const text of ['{}', '{"run":1}', '{"run":"cifar10/monday"}', '[]'])
    expect(() => readExecutionInput(text)).toThrow(/run|expected object/);
});
