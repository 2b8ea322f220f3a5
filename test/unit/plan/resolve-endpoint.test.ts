import { describe, expect, test } from 'vitest';
import type { EndpointFrame } from '../../../src/endpoints/planning.ts';
import { parsePipelineConfig } from '../../../src/pipeline/parse-config.ts';
import { resolveEndpoint } from '../../../src/plan/endpoint/resolve-endpoint.ts';
import { problemLine } from '../../../src/problem/problem.ts';

const frame: EndpointFrame = {
  region: 'us-east-1',
  prices: undefined,
  hasVpc: false,
  archiveBytes: 1_000_000,
  largestObjectBytes: 1_000,
};
function resolve(endpoint: object, change: { frame?: Partial<EndpointFrame>; config?: object } = {}) {
  const parsed = parsePipelineConfig(
    JSON.stringify({
      model,
      labels: { classes: ['a', 'b'] },
      gate: { minAccuracy: 0.5 },
      endpoint: { deploy: 'when-gate-passes', ...endpoint },
      ...change.config,
    }),
  );
  if (!('value' in parsed)) throw new Error(JSON.stringify(parsed.problems));
  return resolveEndpoint(parsed.value, { ...frame, ...change.frame });
}
const scaled = (maxInstances: number, minInstances = 1) => ({ autoscaling: { minInstances, maxInstances } });

test('an endpoint of instances has its price', () => {
  expect(resolve({}).endpoint).toMatchObject({
    type: 'instance',
    instanceType: 'ml.m5.xlarge',
    hourlyUsd: 0.2304,
    imageUri: expect.stringContaining('tensorflow-inference:2.3.0-cpu'),
  });
});

const model = { framework: 'tensorflow', frameworkVersion: '2.3.0' };
const withNetwork = { model: { ...model, networkIsolation: false } };

test('serverless is one word', () => {
  expect(resolve({ type: 'serverless' }, { config: withNetwork })).toMatchObject({
    problems: [],
    endpoint: { type: 'serverless', memorySizeInMB: 4096, maxConcurrency: 10, hourlyUsd: null },
  });
});

test('a pipeline that never deploys is not refused for its endpoint, but has none in its plan', () => {
  const { endpoint, problems, notes } = resolve({ deploy: 'never', ...scaled(1, 2) });
  expect([endpoint, problems]).toEqual([null, []]);
  expect(notes).toEqual([
    expect.stringMatching(/^the model of this run cannot be deployed: pipeline\.json: endpoint\./),
  ]);
  const retired = resolve({ deploy: 'never', acceleratorType: 'ml.eia1.medium' });
  expect(retired.problems).toMatchObject([{ field: 'endpoint.acceleratorType', value: '"ml.eia1.medium"' }]);
});

test.each(['never', 'when-gate-passes'])(
  'a misspelt instance type is refused where deploy is %s',
  (deploy) => {
    const lines = (instanceType: string) => resolve({ deploy, instanceType }).problems.map(problemLine);
    expect(lines('ml.m5.xlage')).toEqual([
      'pipeline.json: endpoint.instanceType is not a known instance type; did you mean ml.m5.xlarge? Correct it, or ' +
        'give its price in pipelines/prices.json if AWS has it',
    ]);
    expect(lines('ml.c5.large')).toEqual([]);
    expect(
      resolve(
        { deploy, instanceType: 'ml.m5.3xlarge' },
        { frame: { prices: { date: '2026-03-01', usdPerHour: { 'ml.m5.3xlarge': 1 } } } },
      ).problems,
    ).toEqual([]);
  },
);

describe('refused:', () => {
  test.each<[string, object, Parameters<typeof resolve>[1], string, string]>([
    ['no gate', {}, { config: { gate: null } }, 'endpoint.deploy', 'needs a gate'],
    ['a gate without bounds', {}, { config: { gate: {} } }, 'endpoint.deploy', 'needs a gate'],
    [
      'serverless with a GPU',
      { type: 'serverless', instanceType: 'ml.g5.xlarge' },
      {},
      'endpoint.instanceType',
      'processors only',
    ],
    [
      'serverless with an accelerator',
      { type: 'serverless', acceleratorType: 'ml.eia2.medium', onRetiredAccelerator: 'send' },
      {},
      'endpoint.acceleratorType',
      'processors only',
    ],
    [
      'serverless that scales',
      { type: 'serverless', ...scaled(2) },
      {},
      'endpoint.autoscaling',
      'scales automatically',
    ],
    [
      'serverless with instances',
      { type: 'serverless', initialInstanceCount: 2 },
      {},
      'endpoint.initialInstanceCount',
      'no instances',
    ],
    [
      'serverless without a network',
      { type: 'serverless' },
      {},
      'endpoint.type',
      'model.networkIsolation to false',
    ],
    [
      'serverless in a VPC',
      { type: 'serverless' },
      { frame: { hasVpc: true } },
      'endpoint.type',
      'VpcSubnetIds',
    ],
    [
      'serverless with a large model',
      { type: 'serverless', memorySizeInMB: 1024 },
      { frame: { archiveBytes: 2 * 2 ** 30 } },
      'endpoint.memorySizeInMB',
      '2048 MB',
    ],
    ['a maximum below the minimum', scaled(1, 2), {}, 'endpoint.autoscaling.maxInstances', 'at least'],
    [
      'more instances than the maximum',
      { initialInstanceCount: 5, ...scaled(3) },
      {},
      'endpoint.initialInstanceCount',
      '1..3',
    ],
    [
      'fewer instances than the minimum',
      scaled(4, 2),
      {},
      'endpoint.initialInstanceCount',
      'must be within endpoint.autoscaling, 2..4, is 1',
    ],
    [
      'burstable instances that scale',
      { instanceType: 'ml.t2.medium', ...scaled(3) },
      {},
      'endpoint.instanceType',
      'burstable',
    ],
    [
      'a machine image without instances',
      { type: 'serverless', amiVersion: 'al2-ami-sagemaker-inference-gpu-2' },
      {},
      'endpoint.amiVersion',
      'has no instances',
    ],
    [
      'a retired accelerator',
      { acceleratorType: 'ml.eia1.medium' },
      {},
      'endpoint.acceleratorType',
      'retired',
    ],
  ])('%s', (_, endpoint, change, field, text) => {
    const { endpoint: resolved, problems } = resolve(endpoint, change);
    expect(resolved).toBeNull();
    expect(problems).toContainEqual(
      expect.objectContaining({ file: 'pipeline.json', field, message: expect.stringContaining(text) }),
    );
  });
});

const SERVERLESS = { type: 'serverless' };
const GIB = 2 ** 30;

describe('taken:', () => {
  test.each<[string, object, Parameters<typeof resolve>[1]]>([
    ['an error rate as the only bound of the gate', {}, { config: { gate: { maxErrorRate: 0.1 } } }],
    [
      'an archive as large as the memory',
      { ...SERVERLESS, memorySizeInMB: 1024 },
      { config: withNetwork, frame: { archiveBytes: GIB } },
    ],
    ['an archive of unknown size', SERVERLESS, { config: withNetwork, frame: { archiveBytes: undefined } }],
    [
      'serverless in place of a retired accelerator',
      { ...SERVERLESS, acceleratorType: 'ml.eia2.medium', onRetiredAccelerator: 'cpu' },
      { config: withNetwork },
    ],
    ['as many instances as the least', { initialInstanceCount: 2, ...scaled(4, 2) }, {}],
    ['as many instances as the most', { initialInstanceCount: 4, ...scaled(4, 2) }, {}],
    ['a number of instances that stays as it is', { initialInstanceCount: 1, ...scaled(1, 1) }, {}],
    ['burstable instances that do not scale', { instanceType: 'ml.t2.medium' }, {}],
  ])('%s', (_, endpoint, change) => {
    const resolved = resolve(endpoint, change);
    expect(resolved.problems).toEqual([]);
    expect(resolved.endpoint).toMatchObject({ acceleratorType: null });
  });
});

test.each(['ml.p3.2xlarge', 'ml.g4dn.xlarge', 'ml.inf1.xlarge', 'ml.trn1.2xlarge'])(
  'serverless has no %s',
  (instanceType) => {
    expect(resolve({ ...SERVERLESS, instanceType }, { config: withNetwork }).problems).toContainEqual({
      file: 'pipeline.json',
      field: 'endpoint.instanceType',
      value: JSON.stringify(instanceType),
      message: expect.stringContaining('processors only'),
    });
  },
);

describe('the container', () => {
  test.each([
    ['2.99', 'ml.m5.xlarge', 'model.frameworkVersion', '"2.99"', /no tensorflow .* version 2.99/],
    ['2.19.0', 'ml.trn1.2xlarge', 'endpoint.instanceType', '"ml.trn1.2xlarge"', /container for trn1/],
  ])('of %s on %s is not there', (frameworkVersion, instanceType, field, value, message) => {
    const config = { model: { framework: 'tensorflow', frameworkVersion } };
    expect(resolve({ instanceType }, { config })).toMatchObject({
      endpoint: null,
      problems: [{ file: 'pipeline.json', field, value, message: expect.stringMatching(message) }],
    });
    const never = resolve({ deploy: 'never', instanceType }, { config });
    expect([never.endpoint, never.problems]).toEqual([null, []]);
  });

  test('is the own one where model.image names it', () => {
    const config = { model: { ...model, image: '000000000000.dkr.ecr.us-east-1.amazonaws.com/own:1' } };
    const { endpoint } = resolve({ instanceType: 'ml.trn1.2xlarge' }, { config });
    expect(endpoint?.imageUri).toBe(config.model.image);
  });
});

describe('noted:', () => {
  const MB = 2 ** 20;
  const FOREVER = { ttlHours: null };
  const BAKE =
    'an update of the endpoint keeps its old instances for 5 min (endpoint.bakeSeconds): ml.m5.xlarge costs $0.02';
  test.each<[string, object, Parameters<typeof resolve>[1], readonly string[]]>([
    [
      'the price of the bake of an update',
      { bakeSeconds: 600, initialInstanceCount: 2, autoscaling: null },
      {},
      [
        expect.stringContaining('needs up to 4 instances of the quota'),
        'an update of the endpoint keeps its old instances for 10 min (endpoint.bakeSeconds): 2 × ml.m5.xlarge costs $0.08',
      ],
    ],
    ['no bake of an endpoint without one', { bakeSeconds: 0 }, {}, []],
    ['only the bake of an endpoint that ends by itself', {}, {}, [BAKE]],
    [
      'the price of one that is kept',
      FOREVER,
      {},
      [
        'endpoint.ttlHours is null: the endpoint costs $0.23 an hour and instance until it is deleted by hand',
        BAKE,
      ],
    ],
    [
      'that it costs, where the price is not known',
      { ...FOREVER, instanceType: 'ml.m99.xlarge' },
      {},
      ['endpoint.ttlHours is null: the endpoint costs until it is deleted by hand'],
    ],
    ['nothing of one that is not deployed', { ...FOREVER, deploy: 'never' }, {}, []],
    ['nothing of one that costs nothing while idle', { ...SERVERLESS, ...FOREVER }, {}, []],
    [
      'an input above what serverless takes',
      SERVERLESS,
      { frame: { largestObjectBytes: 4 * MB + 1 } },
      [
        'endpoint.type "serverless" takes requests of at most 4 MB, and the largest input of this run is larger',
      ],
    ],
    ['no input of exactly as much', SERVERLESS, { frame: { largestObjectBytes: 4 * MB } }, []],
    [
      'no input where nothing is deployed',
      { ...SERVERLESS, deploy: 'never' },
      { frame: { largestObjectBytes: 5 * MB } },
      [],
    ],
    ['no input of an instance', {}, { frame: { largestObjectBytes: 5 * MB } }, [BAKE]],
  ])('%s', (_, endpoint, change, notes) => {
    expect(resolve(endpoint, { config: withNetwork, ...change }).notes).toEqual(notes);
  });
});

describe('a retired accelerator', () => {
  const eia = (onRetiredAccelerator: string) => ({ acceleratorType: 'ml.eia2.medium', onRetiredAccelerator });
  test.each([
    ['tensorflow', '2.3.0', 'tensorflow-inference-eia:2.3.0-cpu'],
    ['pytorch', '1.5.1', 'pytorch-inference-eia:1.5.1-cpu-py3'],
  ])('send asks for the image that %s %s had for it', (framework, frameworkVersion, image) => {
    const { endpoint } = resolve(eia('send'), { config: { model: { framework, frameworkVersion } } });
    expect(endpoint).toMatchObject({
      acceleratorType: 'ml.eia2.medium',
      instanceType: 'ml.m5.xlarge',
      imageUri: expect.stringContaining(image),
    });
  });

  test('replace takes a GPU with a driver for its container', () => {
    expect(resolve(eia('replace')).endpoint?.amiVersion).toBe('al2-ami-sagemaker-inference-gpu-2');
    expect(resolve({ instanceType: 'ml.m5.xlarge' }).endpoint?.amiVersion).toBeNull();
  });

  test('replace takes a GPU, its image, and tells the difference in price', () => {
    const { endpoint, notes } = resolve(eia('replace'));
    expect(endpoint).toMatchObject({
      acceleratorType: null,
      instanceType: 'ml.g4dn.xlarge',
      imageUri: expect.stringContaining('tensorflow-inference:2.3.0-gpu'),
    });
    expect(notes.join()).toMatch(/\$0\.74 an hour instead of \$0\.40: \$0\.34 more/);
  });

  test('cpu drops it', () => {
    expect(resolve(eia('cpu')).endpoint).toMatchObject({
      acceleratorType: null,
      instanceType: 'ml.m5.xlarge',
    });
  });
});

test('a fleet that a candidate of one instance does not stand for has its quota told', () => {
  const quota = (endpoint: object) => resolve(endpoint).notes.filter((note) => note.includes('of the quota'));
  expect(quota({})).toEqual([]);
  expect(quota({ initialInstanceCount: 4 })).toEqual([
    'the endpoint needs up to 8 instances of the quota "ml.m5.xlarge for endpoint usage" while it is updated: what ' +
      'serves, and as many next to it',
  ]);
  expect(quota(scaled(3))).toEqual([expect.stringContaining('up to 6 instances')]);
  expect(quota({ deploy: 'never', initialInstanceCount: 4 })).toEqual([]);
});

describe('a large model', () => {
  const large = { frame: { archiveBytes: 2 ** 31 } };

  test('has time to be downloaded and to start, unless its pipeline says how much', () => {
    const times = { containerStartupTimeoutInSeconds: 900, modelDownloadTimeoutInSeconds: 1200 };
    expect(resolve({}, large).endpoint).toMatchObject({ ...times, volumeSizeInGB: null });
    const asked = {
      containerStartupTimeoutInSeconds: 1800,
      modelDownloadTimeoutInSeconds: 60,
      volumeSizeInGB: 200,
    };
    expect(resolve(asked, large).endpoint).toMatchObject(asked);
    expect(resolve({}).endpoint).toMatchObject({
      containerStartupTimeoutInSeconds: null,
      modelDownloadTimeoutInSeconds: null,
    });
  });

  test.each([
    [
      { volumeSizeInGB: 200, instanceType: 'ml.g5.xlarge' },
      'cannot be with ml.g5.xlarge, which keeps models on its own disks',
    ],
    [{ volumeSizeInGB: 200, type: 'serverless' }, 'which has no instances: leave it out'],
    [{ containerStartupTimeoutInSeconds: 900, type: 'serverless' }, 'which has no instances: leave it out'],
  ])('%j is refused', (endpoint, message) => {
    const { problems } = resolve(endpoint, { config: withNetwork });
    expect(problems).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })]);
  });
});

describe('updates that an alarm takes back', () => {
  const accelerated = { acceleratorType: 'ml.eia2.medium', onRetiredAccelerator: 'send' };

  test('keep the old instances for five minutes, or for as long as the alarms need', () => {
    expect(resolve({}).endpoint).toMatchObject({ rollbackAlarms: [], bakeSeconds: 300 });
    const asked = { rollbackAlarms: ['a'], bakeSeconds: 60 };
    expect(resolve(asked)).toMatchObject({ problems: [], endpoint: asked });
    expect(resolve({ bakeSeconds: 0 })).toMatchObject({ problems: [], endpoint: { bakeSeconds: 0 } });
  });

  test('are refused without the time in which an alarm can ring', () => {
    expect(resolve({ rollbackAlarms: ['a'], bakeSeconds: 30 }).problems.map(problemLine)).toEqual([
      'pipeline.json: endpoint.bakeSeconds must be at least 60 if endpoint.rollbackAlarms names alarms, which are judged ' +
        'once a minute; it is 30',
    ]);
  });

  test.each([
    ['serverless', { type: 'serverless' }],
    ['an accelerator', accelerated],
  ])('are refused with %s, which AWS updates without alarms', (_, endpoint) => {
    const asked = { ...endpoint, rollbackAlarms: ['a'], bakeSeconds: 60 };
    const message = expect.stringContaining('which AWS updates without alarms: leave it out');
    expect(resolve(asked, { config: withNetwork }).problems).toEqual([
      expect.objectContaining({ field: 'endpoint.rollbackAlarms', message }),
      expect.objectContaining({ field: 'endpoint.bakeSeconds', message }),
    ]);
    expect(resolve(endpoint, { config: withNetwork }).problems).toEqual([]);
  });
});

test('an endpoint that scales to zero is planned as one of instances, and says what waits for its callers', () => {
  const { endpoint, notes, problems } = resolve({ scaleToZero: true, initialInstanceCount: 2 });
  expect(problems).toEqual([]);
  expect(endpoint).toMatchObject({ type: 'instance', scaleToZero: true, hourlyUsd: 0.2304 });
  expect(notes.join(' ')).toMatch(/503.*takes minutes.*up to 4 instances/);
});

test.each([
  [{ type: 'serverless' }, 'scaleToZero', 'costs nothing while it is idle anyway'],
  [scaled(2), 'autoscaling', 'scales between none and endpoint.initialInstanceCount'],
  [
    { acceleratorType: 'ml.eia2.medium', onRetiredAccelerator: 'send' },
    'acceleratorType',
    'Elastic Inference',
  ],
  [{ rollbackAlarms: ['a'] }, 'rollbackAlarms', 'leave it out'],
  [{ bakeSeconds: 0 }, 'bakeSeconds', 'leave it out'],
  [{ instanceType: 'ml.t2.medium' }, 'instanceType', 'scales no burstable instances'],
])('endpoint.scaleToZero refuses %j by name', (endpoint, field, message) => {
  const { problems } = resolve({ scaleToZero: true, ...endpoint });
  expect(problems).toMatchObject([{ field: `endpoint.${field}`, message: expect.stringContaining(message) }]);
});

describe('endpoint.type lambda', () => {
  const lambda = { type: 'lambda' };

  test('costs nothing while idle, so it has no end of its own, and its note has its price', () => {
    const { endpoint, notes, problems } = resolve(lambda);
    expect(problems).toEqual([]);
    expect(endpoint).toMatchObject({ type: 'lambda', memorySizeInMB: 1769, ttlHours: null, hourlyUsd: null });
    expect(notes).toEqual([
      'endpoint.type "lambda" costs nothing while nobody asks, and $0.0025 for 1,000 answers of 0.1 s each',
    ]);
    expect(resolve({ ...lambda, ttlHours: 4 }).endpoint!.ttlHours).toBe(4);
    expect(resolve({}).endpoint!.ttlHours).toBe(8);
    expect(resolve({ ttlHours: null }).endpoint!.ttlHours).toBeNull();
  });

  test.each<[string, object, Parameters<typeof resolve>[1], string, string]>([
    ['a GPU', { instanceType: 'ml.g5.xlarge' }, {}, 'endpoint.instanceType', 'processors only'],
    ['autoscaling', scaled(2), {}, 'endpoint.autoscaling', 'starts a function for each request'],
    ['instances', { initialInstanceCount: 2 }, {}, 'endpoint.initialInstanceCount', 'has no instances'],
    ['alarms', { rollbackAlarms: ['alarm'] }, {}, 'endpoint.rollbackAlarms', 'leave it out'],
    ['a bake', { bakeSeconds: 600 }, {}, 'endpoint.bakeSeconds', 'leave it out'],
    ['memory', { memorySizeInMB: 2048 }, {}, 'endpoint.memorySizeInMB', 'PredictMemory'],
    ['a bound', { maxConcurrency: 2 }, {}, 'endpoint.maxConcurrency', 'a function for each request at once'],
    [
      'an image',
      {},
      {
        config: {
          model: { ...model, image: '000000000000.dkr.ecr.us-east-1.amazonaws.com/a:1' },
        },
      },
      'endpoint.type',
      'leave model.image out, or set it to "instance"',
    ],
    [
      'PyTorch',
      {},
      { config: { model: { framework: 'pytorch', frameworkVersion: '2.6' } } },
      'endpoint.type',
      'torch.onnx.export',
    ],
    [
      'an archive that functions cannot run',
      {},
      { frame: { functionReasons: ['has code/a.py, and functions run no Python: leave code/ out'] } },
      'endpoint.type',
      'leave code/ out, or set it to "instance" or "serverless"',
    ],
  ])('is refused with %s', (_, endpoint, change, field, part) => {
    expect(resolve({ ...lambda, ...endpoint }, change).problems).toMatchObject([
      { field, message: expect.stringContaining(part) },
    ]);
  });

  test('says that its largest input cannot be sent to it', () => {
    expect(resolve(lambda, { frame: { largestObjectBytes: 5_000_000 } }).notes.join()).toContain('4.5 MB');
  });
});
