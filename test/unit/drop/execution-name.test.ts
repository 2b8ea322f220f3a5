import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toExecutionInput, toExecutionName } from '../../../src/run/execution-name.ts';

const run = { pipeline: 'cifar10', drop: 'monday', generation: '000001' };

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
