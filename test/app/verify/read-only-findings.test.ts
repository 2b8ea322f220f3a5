import { expect, it } from 'vitest';
import { judgeDeniedCalls } from '../../../src/app/verify/checks/denied-calls.ts';
import { judgeDeployment } from '../../../src/app/verify/checks/deployment.ts';
import { judgeErrorNames } from '../../../src/app/verify/checks/error-names.ts';
import { judgeInstanceQuotas, lacksQuotas } from '../../../src/app/verify/checks/instance-quotas.ts';
import { judgeConcurrency } from '../../../src/app/verify/checks/lambda-concurrency.ts';
import { judgeSimulatedCalls } from '../../../src/app/verify/checks/role-permissions.ts';
import { judgeThrottles } from '../../../src/app/verify/checks/route-throttles.ts';
import { judgeSubscriptions } from '../../../src/app/verify/checks/subscriptions.ts';
import { judgeUnknownNames } from '../../../src/app/verify/checks/unknown-names.ts';
import { combineFindings } from '../../../src/app/verify/finding.ts';
import { roleCalls } from '../../../src/app/verify/role-calls/role-calls.ts';

it.each([
  [1000, 16, 'ok'],
  [32, 16, 'ok'],
  [31, 16, 'warning'],
  [10, 16, 'warning'],
  [10, 4, 'ok'],
  [1000, 600, 'warning'],
  [0, 4, 'failed'],
])('%i functions at once, %i of them of one run: %s', (unreserved, most, verdict) => {
  const finding = judgeConcurrency({ total: 1000, unreserved }, most);
  expect(finding.verdict).toBe(verdict);
  if (verdict !== 'failed') expect(finding.means).toContain(`uses up to ${most} functions`);
});

it('functions that several runs could take from everybody are to be reserved', () => {
  const account = { total: 1000, unreserved: 1000 };
  expect(judgeConcurrency(account, 16, 'Reserve')).toMatchObject({
    verdict: 'warning',
    means: 'Reserve to the deployment.',
  });
});

const OF_TYPE = 'ml.g5.xlarge for transform job usage';
const wanted = {
  instanceType: 'ml.g5.xlarge',
  use: 'transform job',
  instances: 2,
  pipelines: ['cats'],
} as const;
it.each([
  [2, 'ok'],
  [1, 'failed'],
  [0, 'failed'],
  [undefined, 'warning'],
])('a quota of %s for two instances: %s', (quota, verdict) => {
  const known = new Map(quota === undefined ? [] : [[OF_TYPE, quota]]);
  const finding = judgeInstanceQuotas([wanted], { applied: known, defaults: new Map() });
  expect(finding.verdict).toBe(verdict);
  if (verdict === 'failed') expect(finding.means).toMatch(/ml\.g5\.xlarge .* cats needs 2/);
  // Where the account has no value of its own, AWS's default holds.
  expect(judgeInstanceQuotas([wanted], { applied: new Map(), defaults: known }).verdict).toBe(verdict);
});

it('the quota of all types together binds, too', () => {
  const sum = 'Number of instances across all transform jobs';
  const applied = new Map([
    [OF_TYPE, 4],
    [sum, 1],
  ]);
  expect(lacksQuotas([wanted], applied)).toBe(false);
  expect(lacksQuotas([wanted], new Map([[sum, 1]]))).toBe(true);
  const finding = judgeInstanceQuotas([wanted], { applied, defaults: new Map() });
  expect(finding).toMatchObject({
    verdict: 'failed',
    answered: `${OF_TYPE}: 4, ${sum}: 1`,
    means: expect.stringContaining(`${sum} (1 where cats needs 2)`),
  });
});

const expected = { route: 'POST /p', rate: 200, burst: 400 };
const good = { rate: 200, burst: 400 };
it.each([
  ['as asked', { others: {}, routes: { 'POST /p': good } }, 'ok'],
  ['by default', { others: good, routes: { 'GET /': { rate: 20, burst: 40 } } }, 'ok'],
  ['text', { others: {}, routes: { 'POST /p': { rate: '200', burst: '400' } } }, 'failed'],
  ['not there', { others: {}, routes: { 'POST /p': {} } }, 'failed'],
  ['another route has text', { others: good, routes: { 'GET /': { rate: '20', burst: 40 } } }, 'failed'],
])('throttles %s', (_, throttles, verdict) => {
  expect(judgeThrottles(throttles as never, expected).verdict).toBe(verdict);
});

it('refused calls are counted by caller and action, with the last message', () => {
  const call = { caller: 'f', action: 'kms:CreateGrant', message: 'not authorized' };
  const calls = [
    { ...call, at: '2026-11-22T10:00:00Z', message: 'first' },
    { ...call, at: '2026-11-22T11:00:00Z' },
  ];
  const looked = { callers: 24, partly: [] };
  const finding = judgeDeniedCalls(calls, looked);
  expect(finding).toMatchObject({
    verdict: 'failed',
    answered: expect.stringContaining('f kms:CreateGrant (2, last 2026-11-22 11:00:00 UTC: not authorized)'),
  });
  expect(judgeDeniedCalls([], looked).verdict).toBe('ok');
});

it('a caller that was not read for the whole week is named, and is a warning', () => {
  const partly = [{ caller: 'check-transform', since: '2026-11-22T11:00:00Z' }];
  expect(judgeDeniedCalls([], { callers: 24, partly })).toMatchObject({
    verdict: 'warning',
    answered: expect.stringContaining('check-transform since 2026-11-22 11:00:00 UTC only'),
  });
});

const call = { role: 'R', action: 'a:B', resource: '*', decision: 'allowed', wanted: 'allowed' } as const;
const forbidden = { ...call, decision: 'implicitDeny', wanted: 'denied' } as const;
it.each([
  ['allowed', [call], [], 'ok', /1 of 1 calls of 1 roles/],
  ['missing', [{ ...call, decision: 'implicitDeny' }], [], 'failed', /R a:B \(implicitDeny\)/],
  ['not answered', [{ ...call, decision: 'not answered' }], [], 'failed', /R a:B/],
  ['of another release', [call], ['S'], 'failed', /has no S/],
  ['refused', [call, forbidden], [], 'ok', /1 of 1 forbidden ones refused/],
  [
    'not refused',
    [call, { ...forbidden, decision: 'allowed' }],
    [],
    'failed',
    /not refused: R a:B \(allowed\)/,
  ],
  ['neither', [{ ...forbidden, decision: 'not answered' }], [], 'failed', /not refused: R a:B/],
])('simulated calls: %s', (_, calls, missing, verdict, answered) => {
  const finding = judgeSimulatedCalls(calls, missing);
  expect([finding.verdict, finding.answered]).toEqual([verdict, expect.stringMatching(answered)]);
});

/** Calls of a stack whose resources have their logical ids as names. */
function callsOf(kmsKeyArn: string | undefined) {
  const named = (logicalId: string) => ({ logicalId, physicalId: logicalId, type: '', status: '' });
  return roleCalls({
    name: 'inferdrop-dev',
    partition: 'aws',
    region: 'eu-west-1',
    account: '123456789012',
    description: {
      status: 'CREATE_COMPLETE',
      createdAt: new Date(0),
      updatedAt: undefined,
      outputs: new Map(),
      parameters: new Map(kmsKeyArn === undefined ? [] : [['KmsKeyArn', kmsKeyArn]]),
      tags: new Map(),
      serviceRole: undefined,
    },
    resources: ['Bucket', 'ModelRole', 'TrainingRole', 'TopicKey'].map(named),
  });
}

it('asks for grants only where there is a key', () => {
  const grants = (kmsKeyArn: string | undefined) =>
    callsOf(kmsKeyArn)
      .filter(({ actions }) => actions.includes('kms:CreateGrant'))
      .map(({ role, resource }) => `${role} ${resource}`);
  expect(grants(undefined)).toEqual([]);
  expect(grants('arn:key').sort()).toEqual([
    'DeployEndpointRole arn:key',
    'ModelRole arn:key',
    'RollBackEndpointRole arn:key',
    'TrainingRole arn:key',
  ]);
});

it('the sweep must be refused an endpoint that has no tag of a candidate', () => {
  expect(callsOf(undefined)).toContainEqual({
    role: 'SweepEndpointsRole',
    actions: ['sagemaker:DeleteEndpoint'],
    resource: 'arn:aws:sagemaker:eu-west-1:123456789012:endpoint/inferdrop-dev-a-pipeline',
    context: { 'aws:ResourceTag/inferdrop:application': 'Bucket' },
    wanted: 'denied',
  });
});

it('IAM is asked with the type that a condition key has', () => {
  const grants = callsOf('arn:key').filter(({ actions }) => actions.includes('kms:CreateGrant'));
  expect(grants.find(({ role }) => role === 'DeployEndpointRole')?.context).toEqual({
    'kms:GrantIsForAWSResource': true,
  });
});

const dates = { createdAt: new Date('2026-11-01'), updatedAt: new Date('2026-11-02') };
it.each([
  ['UPDATE_COMPLETE', [], 'ok'],
  ['UPDATE_ROLLBACK_COMPLETE', [], 'failed'],
  ['UPDATE_IN_PROGRESS', [], 'warning'],
  ['UPDATE_COMPLETE', [{ logicalId: 'Topic', status: 'UPDATE_FAILED' }], 'failed'],
])('a stack that is %s', (status, resources, verdict) => {
  expect(judgeDeployment({ status, ...dates }, resources).verdict).toBe(verdict);
});

it.each([
  [{ confirmed: 1, pending: 0 }, 'ok'],
  [{ confirmed: 1, pending: 1 }, 'warning'],
  [{ confirmed: 0, pending: 0 }, 'warning'],
])('subscriptions %o: %s', (counts, verdict) => {
  expect(judgeSubscriptions(counts).verdict).toBe(verdict);
});

it('names of AWS that the state machines do not know are a warning; names of ours are not', () => {
  const known = new Set(['Lambda.TooManyRequestsException']);
  const seen = (name: string) => [{ name, count: 1, where: 'a shard' }];
  expect(judgeErrorNames(seen('Runtime.OutOfMemory'), known, 1).verdict).toBe('warning');
  expect(judgeErrorNames(seen('Lambda.TooManyRequestsException'), known, 1).verdict).toBe('ok');
  expect(judgeErrorNames(seen('PlanRefused'), known, 1).verdict).toBe('ok');
});

it('an answer that is not recognized as "not there" fails', () => {
  const ok = { call: 'DescribeModel', code: 'ValidationException', error: undefined };
  expect(judgeUnknownNames([ok]).verdict).toBe('ok');
  const odd = judgeUnknownNames([ok, { call: 'DescribeEndpoint', code: 'Oops', error: 'no idea' }]);
  expect([odd.verdict, odd.means]).toEqual(['failed', expect.stringContaining('DescribeEndpoint')]);
});

it('the worst of several findings decides, and only what is wrong is explained', () => {
  const fine = { answered: 'a', verdict: 'ok', means: 'fine.' } as const;
  const bad = { answered: 'b', verdict: 'failed', means: 'bad.' } as const;
  expect(combineFindings([fine, bad, fine])).toEqual({ answered: 'a; b', verdict: 'failed', means: 'bad.' });
});
