import { expect, test } from 'vitest';
import { withFunctionEndpoints } from '../../../src/app/endpoint/function/function-endpoints.ts';
import { sageMakerLeftJobs } from '../../../src/app/engine/sagemaker/sagemaker-left-jobs.ts';
import { deleteUnused, endLeftovers } from '../../../src/app/removal/end-leftovers.ts';
import { findDeployment } from '../../../src/app/removal/find-deployment.ts';
import { findLeftovers, isAnythingRunning } from '../../../src/app/removal/find-leftovers.ts';
import { startRun } from '../../../src/app/run/start-run.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aRun } from '../../support/a-run.ts';
import { memoryEndpoints } from '../../support/memory-endpoints.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { memorySageMaker } from '../../support/memory-sagemaker.ts';
import { memoryTrainingJobs } from '../../support/memory-training-jobs.ts';
import { servedVariant } from '../../support/served-variant.ts';

const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:batch-inference';
const RUN = aRun('digits/first/000001');

function world(machine = 'batch-inference') {
  const sagemaker = memorySageMaker();
  const endpoints = memoryEndpoints(sagemaker.models);
  const executions = memoryExecutions({ machine });
  const training = memoryTrainingJobs();
  const store = memoryObjectStore();
  const deregistered: string[] = [];
  const reported: string[] = [];
  let onSleep = () => {};
  const deployment = {
    stackName: 'inferdrop-dev',
    bucket: store.bucket,
    runMachineArns: { inference: MACHINE, training: MACHINE.replace('batch-inference', 'training') },
    endpointMachineArn: MACHINE.replace('batch-inference', 'endpoint'),
    stateMachineArns: [MACHINE],
    roleNames: ['ModelRole-1'],
  };
  const services = {
    store,
    executions: () => executions,
    sagemaker,
    training,
    endpoints,
    running: {
      executions: async () =>
        executions.all.filter(({ status }) => status === 'RUNNING').map(({ arn }) => arn),
    },
    jobs: {
      sagemaker: sageMakerLeftJobs(
        async () =>
          [...sagemaker.jobs.values()]
            .map(({ description }) => ({ kind: 'transform' as const, ...description }))
            .filter(({ status }) => status === 'InProgress'),
        async (name) => sagemaker.stopTransformJob(name),
      ),
      training: sageMakerLeftJobs(
        async () =>
          [...training.jobs.values()]
            .map(({ request, description }) => ({
              kind: 'training' as const,
              ...description,
              outputUri: request.OutputDataConfig.S3OutputPath,
            }))
            .filter(({ status }) => status === 'InProgress'),
        training.stop,
      ),
    },
    scaling: {
      deregister: async (name: string, variant: string) => void deregistered.push(`${name}/${variant}`),
    },
    components: endpoints.components,
    componentScaling: {
      deregister: async (name: string) => void deregistered.push(name),
    },
    alarms: { delete: async (name: string) => void deregistered.push(name) },
    clock: () => new Date(0),
    sleep: async () => onSleep(),
    tell: (line: string) => void reported.push(line),
  };
  const serve = (name: string, status: string, tags = {}) =>
    endpoints.all.set(name, {
      status,
      configName: 'none',
      tags: { 'inferdrop:application': store.bucket, 'inferdrop:pipeline': 'digits', ...tags },
    });
  const model = (name: string, role: string) =>
    sagemaker.createModel({
      name,
      roleArn: `arn:aws:iam::000000000000:role/${role}`,
      imageUri: 'image',
      artifactUri: 'uri',
      environment: {},
      networkIsolation: true,
    });
  return {
    services,
    deployment,
    sagemaker,
    endpoints,
    executions,
    store,
    deregistered,
    reported,
    serve,
    model,
    whileWaiting: (act: () => void) => void (onSleep = act),
  };
}

/** The document of what serves, with an inference component for each variant. */
function servedText(components: readonly string[]): string {
  const variant = (component: string) => servedVariant({ kind: 'scaleToZero', component });
  return JSON.stringify({
    schema: 1,
    pipeline: 'digits',
    endpointName: 'inferdrop-dev-digits',
    status: 'in-service',
    live: components[0],
    deployedAt: new Date(0).toISOString(),
    expiresAt: null,
    idleHours: null,
    warnedAt: null,
    warnedOf: null,
    owner: null,
    autoscaling: null,
    hourlyUsd: 0,
    maxHourlyUsd: null,
    variants: Object.fromEntries(components.map((name) => [name, variant(name)])),
  });
}

test('only what is of the deployment counts', async () => {
  const { services, deployment, serve, model } = world();
  serve('inferdrop-dev-digits', 'InService');
  serve('inferdrop-dev-digits-candidate', 'Creating', { 'inferdrop:candidate-of': 'execution' });
  serve('inferdrop-dev-others', 'InService', { 'inferdrop:application': 'another-bucket' });
  serve('inferdrop-prod-digits', 'InService');
  await model('inferdrop-digits-1', 'ModelRole-1');
  await model('inferdrop-digits-2', 'ModelRole-of-another-stage');
  await model('inferdrop-digits-3', 'a/path/ModelRole-1');
  const left = await findLeftovers(deployment, services);
  expect(left.endpoints).toMatchObject([
    { name: 'inferdrop-dev-digits', isCandidate: false },
    { name: 'inferdrop-dev-digits-candidate', isCandidate: true },
  ]);
  expect(left.models).toEqual(['inferdrop-digits-1', 'inferdrop-digits-3']);
});

test('an endpoint and a model that are gone before they are described are not left', async () => {
  const { services, deployment, serve, model, endpoints, sagemaker } = world();
  serve('inferdrop-dev-digits', 'InService');
  await model('inferdrop-digits-1', 'ModelRole-1');
  endpoints.describe = async () => undefined;
  sagemaker.describeModel = async () => undefined;
  expect(await findLeftovers(deployment, services)).toMatchObject({ endpoints: [], models: [] });
});

test('an execution, a job and an endpoint cost money, each by itself and all together', () => {
  const nothing = { executionArns: [], jobs: [], endpoints: [], endpointConfigs: ['c'], models: ['m'] };
  const running = {
    executionArns: ['arn'],
    jobs: [{ title: 'transform job j', hardware: '1 × ml.m5.large', stop: () => Promise.resolve() }],
    endpoints: [
      {
        name: 'e',
        status: 'InService',
        pipeline: 'p',
        isCandidate: false,
        variants: [],
        hostsComponents: false,
      },
    ],
  } as const;
  const { executionArns, jobs, endpoints } = running;
  expect(isAnythingRunning(nothing)).toBe(false);
  for (const some of [{ executionArns }, { jobs }, { endpoints }, { executionArns, jobs }, running])
    expect(isAnythingRunning({ ...nothing, ...some })).toBe(true);
});

test('models alone cost nothing', async () => {
  const { services, deployment, model, sagemaker } = world();
  await model('inferdrop-digits-1', 'ModelRole-1');
  const left = await findLeftovers(deployment, services);
  expect(isAnythingRunning(left)).toBe(false);
  await deleteUnused(left, services);
  expect([...sagemaker.models.keys()]).toEqual([]);
});

test('an endpoint on its way is waited for; what it was is forgotten with it', async () => {
  const { services, deployment, serve, endpoints, store, deregistered, reported, whileWaiting } = world();
  serve('inferdrop-dev-digits', 'Updating');
  await store.write(bucketLayout.served('digits'), '{}');
  let looks = 0;
  whileWaiting(() => {
    looks += 1;
    if (looks === 3) serve('inferdrop-dev-digits', 'InService');
  });
  await endLeftovers(deployment, services);
  expect([endpoints.asked, reported]).toEqual([
    ['delete inferdrop-dev-digits'],
    ['endpoint inferdrop-dev-digits'],
  ]);
  expect(deregistered).toEqual(['inferdrop-dev-digits/variant', 'inferdrop-dev-digits-disagrees']);
  expect(await store.describe(bucketLayout.served('digits'))).toBeUndefined();
});

test('a run is canceled before its execution is stopped, so that no successor takes its files', async () => {
  const { services, deployment, executions, store, reported } = world();
  await startRun(() => executions, RUN);
  await endLeftovers(deployment, services);
  expect(executions.all).toMatchObject([{ status: 'ABORTED', error: 'Canceled' }]);
  expect(await store.readText(bucketLayout.frozen(RUN))).toContain('abandoned');
  expect(reported).toEqual([`execution ${executions.all[0]!.arn}`]);
});

test('training jobs of the deployment are stopped, and no others', async () => {
  const { services, deployment, store, reported } = world();
  for (const [name, bucket] of [
    ['inferdrop-digits-1', store.bucket],
    ['inferdrop-digits-2', 'another-bucket'],
  ] as const)
    await services.training.start({
      TrainingJobName: name,
      ResourceConfig: { InstanceType: 'ml.m5.xlarge', InstanceCount: 1 },
      OutputDataConfig: { S3OutputPath: `s3://${bucket}/runs/training/digits/a/000001/output/` },
    } as never);
  await endLeftovers(deployment, services);
  expect([services.training.stopped, reported]).toEqual([
    ['inferdrop-digits-1'],
    ['training job inferdrop-digits-1'],
  ]);
});

test('transform jobs of the deployment are stopped once, however long they take, and no others', async () => {
  const { services, deployment, sagemaker, store, reported, whileWaiting } = world();
  for (const [name, bucket] of [
    ['inferdrop-digits-1', store.bucket],
    ['inferdrop-digits-2', `${store.bucket}-2`],
  ] as const) {
    const input = { uri: '' };
    await sagemaker.startTransformJob({ name, input, outputUri: `s3://${bucket}/runs/` } as never);
  }
  const asked: string[] = [];
  sagemaker.stopTransformJob = async (name) => void asked.push(name);
  let looks = 0;
  whileWaiting(() => void (++looks === 3 && sagemaker.update('inferdrop-digits-1', { status: 'Stopped' })));
  await endLeftovers(deployment, services);
  expect([asked, reported]).toEqual([['inferdrop-digits-1'], ['transform job inferdrop-digits-1']]);
});

test('the run of a training is canceled as that of a drop is', async () => {
  const { services, deployment, executions, store } = world('training');
  const training = { ...RUN, kind: 'training' } as const;
  await startRun(() => executions, training);
  await endLeftovers(deployment, services);
  expect(executions.all).toMatchObject([
    { status: 'ABORTED', cause: 'Canceled by the removal of the stack.' },
  ]);
  expect(await store.readText(bucketLayout.frozen(training))).toContain('canceled');
});

test('a change of an endpoint is stopped', async () => {
  const { services, deployment, executions, store } = world('endpoint');
  await executions.start('deploy', '{}');
  await endLeftovers(deployment, services);
  expect(executions.all).toMatchObject([
    { status: 'ABORTED', error: 'Removed', cause: 'Stopped by the removal of the stack.' },
  ]);
  expect(store.keys()).toEqual([]);
});

test('an execution of report-failure ends by itself, since no run is its own', async () => {
  const { services, deployment, executions, whileWaiting } = world('report-failure');
  await executions.start('a', '{}');
  whileWaiting(() => executions.end('a', 'SUCCEEDED'));
  await endLeftovers(deployment, services);
  expect(executions.all).toMatchObject([{ status: 'SUCCEEDED' }]);
});

test('a run that ends while it is to be canceled has ended; any other failure is met', async () => {
  const ending = world();
  await startRun(() => ending.executions, RUN);
  const { describe } = ending.executions;
  let looks = 0;
  ending.executions.describe = async (arn) => {
    if (++looks === 2) ending.executions.end(ending.executions.all[0]!.name, 'SUCCEEDED');
    return describe(arn);
  };
  await endLeftovers(ending.deployment, ending.services);
  expect(ending.executions.all).toMatchObject([{ status: 'SUCCEEDED' }]);

  const failing = world();
  await startRun(() => failing.executions, RUN);
  failing.executions.stop = () => Promise.reject(new Error('no permission'));
  await expect(endLeftovers(failing.deployment, failing.services)).rejects.toThrow('no permission');
});

test('a candidate is deleted, and what its pipeline serves stays known', async () => {
  const { services, deployment, serve, endpoints, store, deregistered } = world();
  serve('inferdrop-dev-digits-candidate', 'InService', { 'inferdrop:candidate-of': 'execution' });
  store.put(bucketLayout.served('digits'), '{}');
  store.put(bucketLayout.endpointChange('digits'), '{}');
  await endLeftovers(deployment, services);
  expect([endpoints.asked, deregistered]).toEqual([
    ['delete inferdrop-dev-digits-candidate'],
    ['inferdrop-dev-digits-candidate/variant'],
  ]);
  expect(store.keys()).toHaveLength(2);
  serve('inferdrop-dev-digits', 'InService');
  await endLeftovers(deployment, services);
  expect(store.keys()).toEqual([]);
});

test('configurations of the deployment’s endpoints are deleted, and no others', async () => {
  const { services, deployment, endpoints, store } = world();
  const config = (name: string, application: string) =>
    endpoints.configs.set(name, { name, tags: { 'inferdrop:application': application } } as never);
  config('inferdrop-dev-digits-1', store.bucket);
  config('inferdrop-dev-digits-2', 'another-bucket');
  config('inferdrop-prod-digits', store.bucket);
  await endLeftovers(deployment, services);
  expect([...endpoints.configs.keys()]).toEqual(['inferdrop-dev-digits-2', 'inferdrop-prod-digits']);
});

test('endpoints of functions are ended with the documents that they are; a bucket that stays serves nothing', async () => {
  const { services, deployment, endpoints, store, reported } = world();
  const both = withFunctionEndpoints(store, endpoints, () => new Date(0));
  const ours = { ...services, endpoints: { ...endpoints, ...both } };
  const tags = { 'inferdrop:application': store.bucket, 'inferdrop:pipeline': 'digits' };
  const serveInFunctions = async (name: string): Promise<void> => {
    await both.createConfig({
      name: `${name}-config`,
      variantName: 'v',
      modelName: 'm',
      kmsKeyArn: null,
      tags,
      hardware: { kind: 'lambda', memorySizeInMB: 1769 },
      functionModel: { sha256: 'ab', imageUri: 'image', environment: {} },
    });
    await both.create({ name, configName: `${name}-config`, tags });
  };
  await serveInFunctions('inferdrop-dev-digits');
  await serveInFunctions('inferdrop-prod-digits');
  store.put(bucketLayout.served('digits'), '{}');
  expect(isAnythingRunning(await findLeftovers(deployment, ours))).toBe(true);
  await endLeftovers(deployment, ours);
  expect([reported, endpoints.asked]).toEqual([['endpoint inferdrop-dev-digits'], []]);
  expect(store.keys()).toEqual([
    'functions/configs/inferdrop-prod-digits-config.json',
    'functions/endpoints/inferdrop-prod-digits.json',
  ]);
});

const NAMED = servedText(['here', 'gone']);

test.each([
  ['of this build', NAMED, ['here', 'gone']],
  ['of an earlier build, with other fields', NAMED.replaceAll('"kind"', '"type"'), ['here', 'gone']],
  ['of an earlier build, without components', '{"variants": {"v": {}}}', ['here']],
  ['of an earlier build, without variants', '{}', ['here']],
])(
  'an endpoint that scales to zero goes after its components, whose alarms end: document %s',
  async (_, text, ended) => {
    const { services, deployment, serve, endpoints, store, deregistered } = world();
    const name = 'inferdrop-dev-digits';
    serve(name, 'InService');
    endpoints.configs.set('none', {
      name: 'none',
      tags: { 'inferdrop:application': store.bucket },
      variantName: 'v',
      hardware: { kind: 'scaleToZero', instanceType: 'ml.m5.large', maxCopies: 1 },
    } as never);
    endpoints.allComponents.set('here', { name: 'here', endpointName: name, status: 'InService' } as never);
    store.put(bucketLayout.served('digits'), text);
    await endLeftovers(deployment, services);
    expect(endpoints.asked).toEqual(['delete component here', `delete ${name}`]);
    expect(deregistered).toEqual(expect.arrayContaining(ended));
    expect(store.keys()).toEqual([]);
  },
);

test('what is started meanwhile is ended, too', async () => {
  const { services, deployment, executions, serve, endpoints, whileWaiting } = world();
  await startRun(() => executions, RUN);
  let looks = 0;
  whileWaiting(() => {
    looks += 1;
    if (looks === 1) serve('inferdrop-dev-late', 'InService');
  });
  await endLeftovers(deployment, services);
  expect(endpoints.asked).toEqual(['delete inferdrop-dev-late']);
});

test('what never ends is reported, and the wait has an end', async () => {
  const { services, deployment, serve } = world();
  serve('inferdrop-dev-digits', 'Updating');
  await expect(endLeftovers(deployment, services)).rejects.toMatchObject({
    name: 'StillRunning',
    message: expect.stringContaining('has not ended in 240 minutes'),
  });
});

const OUTPUTS = {
  BucketName: 'data',
  StateMachineArn: MACHINE,
  TrainingMachineArn: MACHINE.replace('batch-inference', 'training'),
  EndpointMachineArn: MACHINE.replace('batch-inference', 'endpoint'),
};
const find = (outputs: Readonly<Record<string, string>> | undefined) =>
  findDeployment('inferdrop-dev', {
    describeStack: async () =>
      outputs && {
        status: 'CREATE_COMPLETE',
        createdAt: new Date(0),
        updatedAt: undefined,
        outputs: new Map(Object.entries(outputs)),
        parameters: new Map<string, string>(),
        tags: new Map<string, string>(),
        serviceRole: undefined,
      },
    stackResources: async () =>
      [
        ['AWS::IAM::Role', 'ModelRole-1'],
        ['AWS::StepFunctions::StateMachine', MACHINE],
        ['AWS::S3::Bucket', 'data'],
      ].map(([type = '', physicalId = '']) => ({ type, physicalId, logicalId: physicalId, status: '' })),
  });

test('a deployment is found by its stack', async () => {
  const found = {
    stackName: 'inferdrop-dev',
    bucket: 'data',
    runMachineArns: { inference: MACHINE, training: OUTPUTS.TrainingMachineArn },
    endpointMachineArn: OUTPUTS.EndpointMachineArn,
    stateMachineArns: [MACHINE],
    roleNames: ['ModelRole-1'],
  };
  expect(await find(OUTPUTS)).toEqual(found);
});

test('a stack that is not there or never was whole has nothing under way', async () => {
  expect(await find(undefined)).toBeUndefined();
  for (const missing of Object.keys(OUTPUTS))
    expect(
      await find(Object.fromEntries(Object.entries(OUTPUTS).filter(([name]) => name !== missing))),
    ).toBeUndefined();
});
