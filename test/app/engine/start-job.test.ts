import { expect, test } from 'vitest';
import { type JobToStart, startJob } from '../../../src/app/engine/sagemaker/start-job.ts';

interface Job {
  readonly arn: string;
  readonly instanceType: string;
}

const TYPES = ['ml.m5.xlarge', 'ml.c5.xlarge', 'ml.m4.xlarge'];
const TAGS = { 'inferdrop:application': 'bucket', 'inferdrop:run': 'shapes/monday/000001' };
const TAKEN =
  "transform job job-1 exists already and its tags are not this run's: run it again with inferdrop rerun";

const named = (name: string, message: string) => Object.assign(new Error(message), { name });
const quota = (instances: number) =>
  named(
    'ResourceLimitExceeded',
    `is ${instances} Instances, with current utilization of ${instances} Instances and a request delta of 1 Instances.`,
  );
const [IN_USE, TOO_SMALL] = [quota(4), quota(0)];
const ELSEWHERE = named(
  'ValidationException',
  "1 validation error detected: Value 'x' at 'transformResources.instanceType' failed to satisfy constraint: Member " +
    'must satisfy enum value set: [ml.c5.xlarge]',
);

interface World {
  /** What SageMaker throws, by instance type. */
  readonly refuses?: Readonly<Record<string, Error | undefined>>;
  /** The type of the job that has the name already. */
  readonly existing?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly isListed?: boolean;
}

/** A SageMaker that has one job at most, asked to start it. */
function asked({ refuses = {}, existing, tags = TAGS, isListed = true }: World = {}) {
  const tried: string[] = [];
  const toJob = (instanceType: string): Job => ({ arn: 'arn:job-1', instanceType });
  let job = existing === undefined ? undefined : toJob(existing);
  const toStart: JobToStart<Job> = {
    kind: 'transform',
    name: 'job-1',
    tags: TAGS,
    types: TYPES,
    from: 0,
    create: async (instanceType) => {
      tried.push(instanceType);
      if (existing !== undefined) throw named('ResourceInUse', 'Job name must be unique');
      const refusal = refuses[instanceType];
      if (refusal !== undefined) throw refusal;
      job = toJob(instanceType);
    },
    describe: async () => (isListed ? job : undefined),
    tagsOf: async (arn) => (arn === job?.arn ? tags : {}),
  };
  return { toStart, tried, start: (from = 0) => startJob({ ...toStart, from }) };
}

test.each([
  ['the first instance type', 0, {}, ['ml.m5.xlarge']],
  ['the type that is asked for, and none before it', 1, {}, ['ml.c5.xlarge']],
  ['the next type where a quota is in use', 0, { 'ml.m5.xlarge': IN_USE }, TYPES.slice(0, 2)],
  ['the next type where a quota is too small', 0, { 'ml.m5.xlarge': TOO_SMALL }, TYPES.slice(0, 2)],
  ['a later type', 0, { 'ml.m5.xlarge': IN_USE, 'ml.c5.xlarge': ELSEWHERE }, TYPES],
])('a job starts on %s', async (_on, from, refuses, types) => {
  const { start, tried } = asked({ refuses });
  const instanceType = types.at(-1)!;
  expect(await start(from)).toEqual({
    job: { arn: 'arn:job-1', instanceType },
    instanceType,
    instance: TYPES.indexOf(instanceType),
  });
  expect(tried).toEqual(types);
});

test('a job that SageMaker does not list yet has the type that was asked for', async () => {
  expect(await asked({ isListed: false }).start(1)).toEqual({
    job: undefined,
    instanceType: 'ml.c5.xlarge',
    instance: 1,
  });
});

test.each([
  ['may help where one quota is in use', [IN_USE, TOO_SMALL, ELSEWHERE], true],
  ['may help where the last quota is in use', [ELSEWHERE, TOO_SMALL, IN_USE], true],
  ['cannot help where every quota is too small', [TOO_SMALL, TOO_SMALL, ELSEWHERE], false],
])('each type’s refusal is kept, and waiting %s', async (_case, errors, passes) => {
  const refuses = Object.fromEntries(TYPES.map((type, at) => [type, errors[at]]));
  const refusals = TYPES.map(
    (type, at) =>
      `${type}: ${errors[at] === ELSEWHERE ? 'SageMaker has no such type in this region' : errors[at]!.message}`,
  );
  expect(await asked({ refuses }).start()).toEqual({ refusals, passes });
});

test.each([
  ['its tags', TAGS],
  ['further tags', { ...TAGS, owner: 'ada' }],
])('an existing job of the name with %s is the one that an earlier call has started', async (_what, tags) => {
  const { start, tried } = asked({ existing: 'ml.m4.xlarge', tags });
  expect(await start()).toMatchObject({
    job: { arn: 'arn:job-1' },
    instanceType: 'ml.m4.xlarge',
    instance: 2,
  });
  expect(tried).toEqual(['ml.m5.xlarge']);
});

test('an existing job on a type that is not among the asked ones counts as of the one that was tried', async () => {
  expect(await asked({ existing: 'ml.p3.2xlarge' }).start(1)).toMatchObject({
    instanceType: 'ml.p3.2xlarge',
    instance: 1,
  });
});

test.each([
  ['of another application', { tags: { ...TAGS, 'inferdrop:application': 'other' } }],
  ['of another run', { tags: { ...TAGS, 'inferdrop:run': 'shapes/monday/000002' } }],
  ['without tags', { tags: {} }],
  ['that is gone when it is looked for', { isListed: false }],
])('a job of the name %s is not taken over', async (_what, world) => {
  await expect(asked({ existing: 'ml.m5.xlarge', ...world }).start()).rejects.toMatchObject({
    name: 'JobNameTaken',
    message: TAKEN,
  });
});

test('throttling is a condition of its own, which the state machine waits for', async () => {
  const cause = named('Throttled', 'Rate exceeded');
  const { start, tried } = asked({ refuses: { 'ml.m5.xlarge': cause } });
  const condition = { name: 'TransformThrottled', message: 'Rate exceeded', cause };
  await expect(start()).rejects.toMatchObject(condition);
  expect(tried).toEqual(['ml.m5.xlarge']);
});

test.each([
  ['a fault of SageMaker', named('InternalError', 'try again')],
  ['a refusal of the request', named('ValidationException', 'Could not find model')],
])('%s says nothing about the instance type, and passes unchanged', async (_what, thrown) => {
  const { start, tried } = asked({ refuses: { 'ml.m5.xlarge': thrown } });
  await expect(start()).rejects.toBe(thrown);
  expect(tried).toEqual(['ml.m5.xlarge']);
});
