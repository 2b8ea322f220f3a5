import { expect, it } from 'vitest';
import { judgeAlarmMessage } from '../../../src/app/verify/checks/alarm-message.ts';
import { judgeCosts } from '../../../src/app/verify/checks/billed-costs.ts';
import { judgeGpu, judgeOfferedAmi } from '../../../src/app/verify/checks/gpu.ts';
import { judgeLambdaEndpoint } from '../../../src/app/verify/checks/lambda-endpoint.ts';
import { judgeLambdaRun } from '../../../src/app/verify/checks/lambda-run.ts';
import { judgeLargeManifest } from '../../../src/app/verify/checks/large-manifest.ts';
import { judgeServerlessEndpoint } from '../../../src/app/verify/checks/serverless-endpoint.ts';
import { judgeStackEndpoint } from '../../../src/app/verify/checks/stack-endpoint.ts';
import { judgeStackRun } from '../../../src/app/verify/checks/stack-run.ts';
import { judgeTransformBundles } from '../../../src/app/verify/checks/transform-bundles.ts';
import { judgeInstances } from '../../../src/app/verify/checks/transform-instances.ts';
import {
  judgeTransformKeys,
  type TestAnswer,
  type TransformKeyFacts,
} from '../../../src/app/verify/checks/transform-keys.ts';
import { judgeUploadEvents } from '../../../src/app/verify/checks/upload-events.ts';
import { judgeWakingEndpoint } from '../../../src/app/verify/checks/waking-endpoint.ts';
import { isProbeName, toProbeName } from '../../../src/app/verify/probe/name.ts';

const answer = (bytes: number, began = 0): TestAnswer => ({
  bytes,
  environment: 'job',
  began,
  ended: began + 1,
});
const inputs = { 'a/b c.txt': 3, 'd.txt': 1, 'broken.txt': 6, 'empty.txt': 0, 'large.bin': 9 };
const good: TransformKeyFacts = {
  status: 'Failed',
  failureReason: 'AlgorithmError',
  expected: Object.entries(inputs).map(([input, bytes]) => ({ input, output: `${input}.out`, bytes })),
  outputs: new Map([
    ['a/b c.txt.out', answer(3)],
    ['d.txt.out', answer(1, 0.5)],
    ['empty.txt.out', undefined],
  ]),
  brokenCalls: 2,
  streams: ['i-1', 'i-1/data-log'],
};
const outputs = (change: (map: Map<string, TestAnswer | undefined>) => void) => {
  const map = new Map(good.outputs);
  change(map);
  return { outputs: map };
};
it.each<[string, Partial<TransformKeyFacts>, string, RegExp]>([
  ['as expected', {}, 'ok', /2 of 2 outputs have the expected key/],
  [
    'nested folders are lost',
    outputs((map) => {
      map.delete('a/b c.txt.out');
      map.set('b c.txt.out', answer(3));
    }),
    'failed',
    /missing: "a\/b c\.txt"; not expected: "b c\.txt\.out"/,
  ],
  [
    "another file's answer",
    outputs((map) => map.set('d.txt.out', answer(3))),
    'failed',
    /other bytes: "d\.txt"/,
  ],
  ['a failed job keeps nothing', { outputs: new Map() }, 'failed', /without any output/],
  [
    'the refused file has an output',
    outputs((map) => map.set('broken.txt.out', undefined)),
    'failed',
    /the file has an output/,
  ],
  ['the job is called completed', { status: 'Completed' }, 'warning', /Completed/],
  [
    "the model's variables win",
    outputs((map) => {
      for (const [key, one] of map) map.set(key, one && { ...one, environment: 'model' });
    }),
    'warning',
    /value of the model/,
  ],
  [
    'one file after the other',
    outputs((map) => map.set('d.txt.out', answer(1, 7))),
    'warning',
    /one file is sent after the other/,
  ],
  ['no retries', { brokenCalls: 1 }, 'warning', /was sent 1 times/],
  ['no log', { brokenCalls: 0, streams: [] }, 'warning', /no log of the job yet/],
])('transform keys: %s', (_, change, verdict, answered) => {
  const finding = judgeTransformKeys({ ...good, ...change });
  expect([finding.verdict, finding.answered]).toEqual([verdict, expect.stringMatching(answered)]);
});

const seen = { key: 'a b.txt', eventKey: 'a b.txt', aheadSeconds: 0, reason: 'PutObject' };
it.each([
  [{}, 'ok'],
  [{ eventKey: 'a+b.txt' }, 'failed'],
  [{ eventKey: undefined, aheadSeconds: undefined }, 'failed'],
  [{ aheadSeconds: -1_000 }, 'failed'],
])('upload events %o: %s', (change, verdict) => {
  expect(judgeUploadEvents([{ ...seen, ...change }]).verdict).toBe(verdict);
});

const report = { status: 'completed', total: 40, errors: 0, costUsd: 0.0012, gate: { verdict: 'passed' } };
const run = { execution: 'SUCCEEDED', report, shards: { succeeded: 40, failed: 0 } };
it.each([
  [{}, 'ok'],
  [{ shards: { succeeded: 39, failed: 1 } }, 'failed'],
  [{ report: { ...report, errors: 1 } }, 'failed'],
  [{ report: { ...report, gate: { verdict: 'failed' } } }, 'failed'],
  [{ report: undefined, execution: 'FAILED States.Permissions' }, 'failed'],
])('a run %o: %s', (change, verdict) => {
  expect(judgeStackRun({ ...run, ...change }).verdict).toBe(verdict);
});

it.each([
  [{}, 'ok', /40 of 40 predictions for \$0\.0012, 61 seconds/],
  [{ report: { ...report, costUsd: null } }, 'ok', /at an unknown cost/],
  [{ report: { ...report, costUsd: 0, errors: 1 } }, 'failed', /39 of 40/],
  [{ report: { ...report, costUsd: 0, total: 39 } }, 'failed', /39 of 40/],
  [{ report: { ...report, costUsd: 0, status: 'stopped' } }, 'failed', /stopped/],
  [{ report: undefined, execution: 'FAILED ModelNotConverted' }, 'failed', /ModelNotConverted; no report/],
])('a run of functions %o: %s', (change, verdict, answered) => {
  const finding = judgeLambdaRun({
    execution: 'SUCCEEDED',
    seconds: 61,
    report,
    ...change,
  });
  expect([finding.verdict, finding.answered]).toEqual([verdict, expect.stringMatching(answered)]);
});

const answered = { sent: 'PNG', status: 200, predictions: 1, expected: 1, text: '{}' };
const endpoint = {
  deployed: 'SUCCEEDED',
  deleted: 'SUCCEEDED',
  answers: [answered],
  tooLarge: { status: 413, text: 'x' },
};
it.each([
  [{}, 'ok'],
  [{ deployed: 'FAILED' }, 'failed'],
  [{ deleted: 'FAILED' }, 'failed'],
  [{ answers: [{ ...answered, status: 400 }] }, 'failed'],
  [{ answers: [{ ...answered, predictions: 2 }] }, 'failed'],
  [{ tooLarge: { status: 500, text: 'x' } }, 'warning'],
  [{ slow: { status: 504, text: 'x' }, updated: 'SUCCEEDED' }, 'ok'],
  [{ slow: { status: 503, text: '{"message":"Service Unavailable"}' } }, 'warning'],
  [{ updated: 'FAILED AccessDenied' }, 'failed'],
  [{ updated: 'SUCCEEDED', takenBack: { execution: 'FAILED X why', seconds: 12 } }, 'ok'],
  [{ updated: 'SUCCEEDED', takenBack: { execution: 'SUCCEEDED', seconds: undefined } }, 'warning'],
])('an endpoint %o: %s', (change, verdict) => {
  expect(judgeStackEndpoint({ ...endpoint, ...change }).verdict).toBe(verdict);
});

it.each([
  [{}, 'ok'],
  [{ deployed: 'FAILED ResourceLimitExceeded' }, 'failed'],
  [{ deleted: 'TIMED_OUT' }, 'failed'],
  [{ answers: [{ ...answered, status: 503 }] }, 'failed'],
])('a serverless endpoint, or one of functions, %o: %s', (change, verdict) => {
  const facts = { deployed: 'SUCCEEDED', deleted: 'SUCCEEDED', answers: [answered] };
  for (const judge of [judgeServerlessEndpoint, judgeLambdaEndpoint])
    expect(judge({ ...facts, ...change }).verdict).toBe(verdict);
});

const asleep = { status: 503, text: 'asleep' };
it.each([
  [{}, 'ok', /awake after 140 seconds/],
  [{ deployed: 'FAILED ResourceLimitExceeded' }, 'failed', /idle-hosts/],
  [{ deleted: 'TIMED_OUT' }, 'failed', /delete its inference components/],
  [{ answers: [{ ...answered, status: 503 }] }, 'failed', /does not answer/],
  [{ asleep: undefined, wokenSeconds: undefined }, 'warning', /kept its copy/],
  [{ wokenSeconds: undefined }, 'failed', /alarm "…-asleep"/],
  [{ asleep: { ...asleep, status: 424 } }, 'warning', /another status than 503/],
])('an endpoint that scales to zero %o: %s', (change, verdict, said) => {
  const facts = {
    deployed: 'SUCCEEDED',
    deleted: 'SUCCEEDED',
    answers: [answered],
    asleep,
    wokenSeconds: 140,
  };
  const { answered: told, means, ...finding } = judgeWakingEndpoint({ ...facts, ...change });
  expect(finding.verdict).toBe(verdict);
  expect(`${told} ${means}`).toMatch(said);
});

it.each([
  ['| NVIDIA-SMI 535.1 Driver Version: 535.183.01 CUDA Version: 12.2 |', 'ok'],
  ['| NVIDIA-SMI 470.1 Driver Version: 470.256.02 CUDA Version: 11.4 |', 'failed'],
  ['', 'failed'],
  [undefined, 'failed'],
])('a GPU that says %s: %s', (said, verdict) => {
  const outputs = new Map(said === undefined ? [] : [['ask.txt.out', said]]);
  const job = { status: 'Completed', failureReason: undefined, outputs };
  expect(judgeGpu(job, 'an-ami').verdict).toBe(verdict);
});

it.each([
  [undefined, 'ok'],
  ['ResourceLimitExceeded', 'warning'],
  ['ValidationException', 'failed'],
])('a machine image whose job is refused with %s: %s', (name, verdict) => {
  const refusal = name === undefined ? undefined : { name, message: 'why' };
  const image = { instanceType: 'ml.g5.xlarge', amiVersion: 'an-ami' };
  expect(judgeOfferedAmi(image, refusal).verdict).toBe(verdict);
});

it.each([
  [['Successfully executed action arn:aws:sns:x'], 'ok'],
  [['Failed to execute action arn:aws:sns:x'], 'failed'],
  [[], 'warning'],
])('actions of an alarm %j: %s', (actions, verdict) => {
  expect(judgeAlarmMessage(actions, 1).verdict).toBe(verdict);
});

const line = (usageType: string, usd: number, application = '') => ({ usageType, usd, application });
it.each<[string, ReturnType<typeof line>[], string, RegExp]>([
  [
    'as told',
    [line('USE1-Tsform:ml.m5.large', 10)],
    'ok',
    /batch transform \$10\.00 where 3 runs say \$10\.00/,
  ],
  ['a little less', [line('USE1-Tsform:ml.m5.large', 8)], 'ok', /0\.80 times/],
  ['less', [line('Tsform:ml.m5.large', 2)], 'warning', /0\.20 times/],
  ['ten times as much', [line('EU-Tsform:ml.g4dn.xlarge', 100)], 'warning', /10\.00 times/],
  [
    'as told, beside endpoints',
    [line('Tsform:ml.m5.large', 10), line('Host:ml.m5.large', 90)],
    'ok',
    /1\.00/,
  ],
  [
    'as told, beside others in the account',
    [line('Tsform:ml.m5.large', 10, 'bucket'), line('Tsform:ml.m5.large', 90)],
    'ok',
    /\$10\.00 of this stack/,
  ],
  ['more, by the tag', [line('Tsform:ml.m5.large', 30, 'bucket')], 'warning', /3\.00 times/],
])('a bill: %s', (_, sagemaker, verdict, answered) => {
  const services = new Map([['Amazon SageMaker', 100]]);
  const none = { count: 0, usd: 0 };
  const finding = judgeCosts({ services, sagemaker }, 'bucket', {
    runs: { count: 3, usd: 10 },
    trainings: none,
  });
  expect([finding.verdict, finding.answered]).toEqual([verdict, expect.stringMatching(answered)]);
  const trained = { services, sagemaker: [line('USE1-Train:ml.m5.large', 4)] };
  const told = { runs: none, trainings: { count: 1, usd: 4 } };
  expect(judgeCosts(trained, 'bucket', told)).toMatchObject({ verdict: 'ok' });
});

it.each([
  [{}, 'ok'],
  [{ status: 'Failed' }, 'failed'],
  [{ outputs: 499_999 }, 'failed'],
])('a large manifest %o: %s', (change, verdict) => {
  const { outputs, ...job } = {
    outputs: 500_000,
    status: 'Completed',
    failureReason: undefined,
    startSeconds: 200,
    workSeconds: 1_000,
    ...change,
  };
  expect(judgeLargeManifest(job, outputs).verdict).toBe(verdict);
});

it('a verification removes only what verifications of this stack have made', () => {
  const name = toProbeName('inferdrop-dev', 'V1A2B3C4', 'keys');
  expect(isProbeName('inferdrop-dev', name)).toBe(true);
  expect(isProbeName('inferdrop-dev', toProbeName('inferdrop-dev-2', 'V1A2B3C4'))).toBe(false);
  expect(isProbeName('inferdrop-dev', 'verify-inferdrop-dev-1a2b3c4d-V1A2B3C4')).toBe(false);
  expect(isProbeName('inferdrop-dev', 'inferdrop-dev-uploads')).toBe(false);
  const longest = toProbeName(`inferdrop-${'x'.repeat(20)}`, 'V1A2B3C4', 'large');
  expect(longest.length).toBeLessThanOrEqual(63);
});

it.each<[string, number[], string]>([
  ['evenly', [100, 100], 'ok'],
  ['a quarter to one', [150, 50], 'ok'],
  ['less than a quarter to one', [151, 49], 'failed'],
  ['all to one', [200], 'failed'],
  ['with a log that is not complete', [100, 60], 'warning'],
  ['without a log', [], 'warning'],
])('200 files are dealt to two instances %s', (_, counts, verdict) => {
  const job = { status: 'Completed', failureReason: undefined };
  expect(judgeInstances(job, counts).verdict).toBe(verdict);
  expect(judgeInstances({ ...job, status: 'Failed' }, counts).verdict).toBe('failed');
});

const bundleOf = (failed: number[][]) =>
  `${JSON.stringify({ inputs: 3, failed, ms: 1, memoryMB: null, isJoint: false })}\n{}\n{}\n{}\n`;
const bundleSeen = { status: 'Completed', failureReason: undefined, answer: bundleOf([[1, 500]]) };
it.each([
  [{}, 'ok', 'tar: job Completed, 2 of 3 inputs answered; records: job Completed, 2 of 3'],
  [{ answer: bundleOf([]) }, 'warning', 'records: job Completed, 3 of 3 inputs answered'],
  [{ answer: '{"predictions": []}' }, 'warning', 'records: job Completed, no answer'],
  [
    { status: 'Failed', failureReason: 'AlgorithmError', answer: undefined },
    'warning',
    'records: job Failed, no answer (AlgorithmError)',
  ],
])('bundles of a job %o: %s', (change, verdict, answered) => {
  const finding = judgeTransformBundles([
    { form: 'tar', ...bundleSeen },
    { form: 'records', ...bundleSeen, ...change },
  ]);
  expect(finding).toMatchObject({ verdict, answered: expect.stringContaining(answered) });
});
