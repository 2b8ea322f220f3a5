import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toModelName } from '../../../src/model/model-name.ts';
import { toJobName } from '../../../src/transform/job-name.ts';

const NAME = /^[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}$/;
const identity = {
  sha256: 'a'.repeat(64),
  imageUri: 'image',
  environment: { A: '1', B: '2' },
  executionRoleArn: 'role',
  vpc: null,
  networkIsolation: true,
  bucket: 'bucket',
};
const anyName = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 });

test('names of models and jobs are names that SageMaker takes, whatever people call things', () => {
  fc.assert(
    fc.property(anyName, anyName, fc.integer({ min: 1, max: 9999 }), (pipeline, drop, attempt) => {
      expect(toModelName(pipeline, identity)).toMatch(NAME);
      const run = `p/${drop.replaceAll('/', '_')}/000001`;
      expect(toJobName({ bucket: 'b', run, plannedAt: 't', attempt })).toMatch(NAME);
    }),
  );
});

test.each([
  { sha256: 'b'.repeat(64) },
  { imageUri: 'other' },
  { environment: { A: '1' } },
  { executionRoleArn: 'other' },
  { vpc: { subnets: ['s'], securityGroups: [] } },
  { networkIsolation: false },
  { bucket: 'other' },
])('a model with %j has another name', (change) => {
  expect(toModelName('p', { ...identity, ...change })).not.toBe(toModelName('p', identity));
});

test('the order of variables, subnets and groups makes no other model', () => {
  const vpc = { subnets: ['a', 'b'], securityGroups: ['c', 'd'] };
  const turned = { subnets: ['b', 'a'], securityGroups: ['d', 'c'] };
  expect(toModelName('p', { ...identity, vpc, environment: { B: '2', A: '1' } })).toBe(
    toModelName('p', { ...identity, vpc: turned }),
  );
});

test.each([
  [{ subnets: ['s'] }, { subnets: ['t'] }],
  [{ securityGroups: ['g'] }, { securityGroups: ['h'] }],
])('a model in the network %j has another name than in %j', (one, other) => {
  const vpc = { subnets: [], securityGroups: [] };
  const name = (change: object): string => toModelName('p', { ...identity, vpc: { ...vpc, ...change } });
  expect(name(one)).not.toBe(name(other));
});

test('each attempt of each plan has a job name of its own, and always the same', () => {
  const attempt = { bucket: 'b', run: 'p/d/000001', plannedAt: '2026-01-01T00:00:00.000Z', attempt: 1 };
  const names = [
    attempt,
    { ...attempt, attempt: 2 },
    { ...attempt, bucket: 'c' },
    { ...attempt, run: 'p/d/000002' },
    { ...attempt, plannedAt: 'later' },
  ].map(toJobName);
  expect(new Set(names).size).toBe(5);
  expect(toJobName({ ...attempt })).toBe(names[0]);
});
