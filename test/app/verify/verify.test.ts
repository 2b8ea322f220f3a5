import { expect, it } from 'vitest';
import type { Check, VerifyServices } from '../../../src/app/verify/check.ts';
import { runTestJob } from '../../../src/app/verify/probe/job.ts';
import { exitCodeOf } from '../../../src/app/verify/verification.ts';
import { verify } from '../../../src/app/verify/verify.ts';
import { Condition } from '../../../src/problem/conditions.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { memorySageMaker } from '../../support/memory-sagemaker.ts';

const clock = () => new Date('2026-11-22T12:00:00Z');
const stack = {
  name: 'inferdrop-dev',
  isAws: true,
  place: 'AWS',
  account: '123456789012',
  partition: 'aws',
  region: 'eu-west-1',
  resources: [
    { logicalId: 'ModelRole', physicalId: 'role', type: 'AWS::IAM::Role', status: 'CREATE_COMPLETE' },
  ],
  description: { parameters: new Map(), outputs: new Map() },
};
const services = { stack, clock } as unknown as VerifyServices;
const fine = { answered: 'of account 123456789012', verdict: 'ok', means: 'fine' } as const;
const check = (name: string, usd: number | null, run: Check['run'] = async () => fine): Check => ({
  name,
  asks: `${name}?`,
  usd,
  run,
});
const throwing = (name: string) => async () => {
  throw Object.assign(new Error(`no ${name}`), { name });
};

async function verified(
  checks: readonly Check[],
  spendUsd?: number,
  abort = new AbortController(),
  isAws = true,
) {
  const cleaned: number[] = [];
  const told: string[] = [];
  const result = await verify(
    {
      checks,
      spendUsd,
      signal: abort.signal,
      watch: { begins: ({ name }) => told.push(name), ended: () => undefined },
    },
    { ...services, stack: { ...services.stack, isAws } },
    async () => {
      cleaned.push(told.length);
      return { removed: [], left: [] };
    },
  );
  return { result, cleaned, verdicts: result.checks.map(({ verdict }) => verdict) };
}

it('carries out what the amount covers, and cleans up before and after', async () => {
  const { result, cleaned, verdicts } = await verified(
    [check('a', null), check('b', 0.5), check('c', 0.6)],
    1,
  );
  expect(verdicts).toEqual(['ok', 'ok', 'not run']);
  expect(result.checks[2]?.means).toContain('Needs --spend 1.10');
  expect([result.estimatedUsd, cleaned]).toEqual([0.5, [0, 3]]);
});

it('masks every text', async () => {
  const { result } = await verified([check('a', null)]);
  expect(result.checks[0]?.answered).toBe('of account <account>');
});

it.each([
  ['AccessDenied', true, 'not run'],
  ['UnknownOperationException', false, 'only AWS can tell'],
  ['UnknownOperationException', true, 'failed'],
  ['NetworkingError', true, 'failed'],
])('a check that ends with %s (in AWS: %s) does not end the others: %s', async (name, isAws, verdict) => {
  const checks = [check('a', null, throwing(name)), check('b', null)];
  const { verdicts, result } = await verified(checks, undefined, undefined, isAws);
  expect(verdicts).toEqual([verdict, 'ok']);
  expect(exitCodeOf(result)).toBe(verdict === 'failed' ? 1 : 0);
});

it('an interruption ends it, and cleans up all the same', async () => {
  const abort = new AbortController();
  const stops = async () => {
    abort.abort();
    throw new Condition('VerificationInterrupted', 'now');
  };
  const { result, cleaned } = await verified([check('a', 0.1, stops), check('b', 0.1)], 1, abort);
  expect([result.checks, result.interrupted, cleaned]).toEqual([[], true, [0, 1]]);
  expect([exitCodeOf(result), result.estimatedUsd]).toEqual([130, 0.1]);
});

it("a test job runs under the stack's model role, with its inputs where nothing starts a run", async () => {
  const store = memoryObjectStore();
  const sagemaker = memorySageMaker({ clock });
  const job = {
    purpose: 'keys',
    files: { 'a b.txt': 'x' },
    spec: {
      contentType: 'text/plain',
      accept: 'text/plain',
      splitType: 'None',
      assembleWith: 'None',
      maxPayloadInMB: 1,
      maxConcurrentTransforms: 1,
    },
  } as const;
  const name = 'verify-inferdrop-dev-V0000001-keys';
  const wait = async (ms: number) => {
    if (ms === 0) return;
    store.put('runs/inferdrop-verify/V0000001-keys/000001/predictions/a b.txt.out', 'answer');
    sagemaker.update(name, { status: 'Completed' });
  };
  const ended = await runTestJob({ ...services, store, sagemaker, id: 'V0000001', pollMs: 1, wait }, job);
  expect(ended).toMatchObject({ name, status: 'Completed', outputs: new Map([['a b.txt.out', 'answer']]) });
  expect(sagemaker.models.get(name)).toMatchObject({ roleArn: 'arn:aws:iam::123456789012:role/role' });
  expect(sagemaker.jobs.get(name)?.spec.outputUri).not.toMatch(/\/$/);
  expect(JSON.parse(store.text('runs/inferdrop-verify/V0000001-keys/000001/jobs/1/input.manifest')!)).toEqual(
    [{ prefix: 's3://bucket/shared/inferdrop-verify/V0000001/keys/' }, 'a b.txt'],
  );
});
