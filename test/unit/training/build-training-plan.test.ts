import { describe, expect, test } from 'vitest';
import { parsePipelineConfig } from '../../../src/pipeline/parse-config.ts';
import { askedChannels } from '../../../src/training/asked-channel.ts';
import { buildTrainingPlan, type TrainingPlanFacts } from '../../../src/training/build-training-plan.ts';
import { TrainingPlan } from '../../../src/training/training-plan.ts';
import { aRun } from '../../support/a-run.ts';

const RUN = aRun('training/clothes/monday/000001');
const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const FOLDER = 's3://drops/training/clothes/monday/';
const PRICES = { pricesUsd: { 'ml.m5.xlarge': 0.23 }, date: '2026-01-01', source: 'table' } as const;

interface Given {
  readonly training?: object;
  readonly config?: object;
  readonly hyperparameters?: readonly Record<string, unknown>[];
  readonly facts?: Partial<TrainingPlanFacts>;
  readonly findings?: Partial<TrainingPlanFacts['findings']>;
  readonly stack?: Partial<TrainingPlanFacts['stack']>;
}

/** The plan of a training of which all is given, but what a test says otherwise. */
function plan({
  training = {},
  config = {},
  hyperparameters = [],
  facts = {},
  findings = {},
  stack = {},
}: Given) {
  const parsed = parsePipelineConfig(
    JSON.stringify({
      model: { framework: 'pytorch', frameworkVersion: '2.6.0' },
      labels: { classes: ['a', 'b'] },
      training: { framework: 'pytorch', version: '2.6.0', entryPoint: 'train.py', ...training },
      ...config,
    }),
  );
  if (!('value' in parsed) || !parsed.value?.training) throw new Error(JSON.stringify(parsed));
  const settings = parsed.value.training;
  return buildTrainingPlan({
    run: RUN,
    createdAt: new Date('2026-03-01T12:00:00.000Z'),
    bucket: 'own',
    frozen: {
      objects: 3,
      bytes: 9,
      sourceBucket: 'drops',
      sourcePrefix: 'training/clothes/monday/',
    },
    configuration: {
      config: parsed.value,
      training: settings,
      hyperparameters: hyperparameters.map((values) => ({ file: 'job.json', field: '', values })),
      channels: askedChannels(settings),
      prices: undefined,
    },
    findings: {
      source: { place: '', files: [{ path: 'train.py', bytes: 1, etag: 'e' }], texts: new Map() },
      inputs: new Map([['training', { objects: 2, bytes: 8 }]]),
      classes: [],
      place: FOLDER,
      isOwnFolder: true,
      otherFiles: 'none',
      evaluation: null,
      quotas: undefined,
      ...findings,
    },
    judged: {
      prices: { ...PRICES, notes: [], problems: [] },
      quoteUsd: 0.23,
      notes: ['a note'],
      problems: [],
    },
    image: { uri: 'image', framework: 'pytorch', version: '2.6.0', pyVersion: 'py312', horovod: null },
    stack: {
      region: 'us-east-1',
      readBuckets: [],
      roleArn: 'arn:role',
      vpc: null,
      kmsKeyArn: null,
      ...stack,
    },
    sourcePrefix: 'pipelines/clothes/code/',
    incumbent: null,
    id: ID,
    earlierCheckpoints: { uri: null, areInUse: false },
    leftUsd: null,
    ...facts,
  });
}

test('a plan is what its schema says, with each fact in its place', () => {
  const made = plan({});
  expect(TrainingPlan.parse(made)).toEqual(made);
  expect(made).toMatchObject({
    run: 'training/clothes/monday/000001',
    createdAt: '2026-03-01T12:00:00.000Z',
    region: 'us-east-1',
    data: { bucket: 'drops', prefix: 'training/clothes/monday/', objects: 3, bytes: 9 },
    source: { prefix: 'pipelines/clothes/code/', entryPoint: 'train.py', files: [{ path: 'train.py' }] },
    cost: { pricesUsd: PRICES.pricesUsd, quoteUsd: 0.23, priceTableDate: '2026-01-01', source: 'table' },
    after: { evaluate: null, promote: 'ask', deploy: 'never' },
    notes: ['a note'],
  });
});

const VPC = { subnets: ['subnet-1'], securityGroups: ['sg-1'] };

test.each<[string, Given, object]>([
  ['a cap alone', { training: { maxCostUsd: 7 } }, { limits: { maxCostUsd: 7 } }],
  [
    'less left of the day',
    { training: { maxCostUsd: 7 }, facts: { leftUsd: 3 } },
    { limits: { maxCostUsd: 3 } },
  ],
  [
    'more left of the day',
    { training: { maxCostUsd: 7 }, facts: { leftUsd: 9 } },
    { limits: { maxCostUsd: 7 } },
  ],
  ['no cap', { training: { maxCostUsd: null }, facts: { leftUsd: 3 } }, { limits: { maxCostUsd: 3 } }],
  ['no bound at all', { training: { maxCostUsd: null } }, { limits: { maxCostUsd: null } }],
  [
    'minutes that are no whole seconds',
    { training: { maxRunMinutes: 1.01 }, config: { limits: { maxRuntimeMinutes: 10.001 } } },
    { limits: { maxRunSeconds: 61, maxWaitSeconds: 601 } },
  ],
  ['spot capacity', { training: { spot: { maxWaitMinutes: 61.01 } } }, { spot: { maxWaitSeconds: 3_661 } }],
  ['no spot capacity', {}, { spot: null }],
  ['a VPC of the stack', { stack: { vpc: VPC } }, { vpc: VPC }],
  ['a VPC that is not wanted', { stack: { vpc: VPC }, training: { vpc: false } }, { vpc: null }],
  ['a VPC that the stack lacks', {}, { vpc: null }],
  [
    'a key of the stack',
    { stack: { kmsKeyArn: 'arn:key' }, training: { instances: { count: 2 } } },
    { instances: { types: ['ml.m5.xlarge'], count: 2, volumeSizeInGB: 30, kmsKeyArn: 'arn:key' } },
  ],
  [
    'hyperparameters of two files: the later counts',
    { hyperparameters: [{ epochs: 3, backend: 'gloo' }, { epochs: 5 }] },
    { hyperparameters: { epochs: '5', backend: '"gloo"' } },
  ],
  ['metrics', { training: { metrics: { loss: 'l(.)' } } }, { metrics: [{ name: 'loss', regex: 'l(.)' }] }],
  [
    'deployment, which pipeline.json asks for elsewhere',
    { config: { endpoint: { deploy: 'when-gate-passes' }, gate: { minAccuracy: 0.5 } } },
    { after: { deploy: 'when-gate-passes' } },
  ],
])('with %s', (_, given, planned) => {
  expect(plan(given)).toMatchObject(planned);
});

describe('the checkpoints', () => {
  const NOTE =
    'another training of these files is under way: this one keeps checkpoints of its own, and begins without any';
  const rerun = {
    objects: 3,
    bytes: 9,
    sourceBucket: 'drops',
    sourcePrefix: 'p/',
  };
  const own = { uri: `s3://own/runs/training/clothes/monday/000001/checkpoints/${ID}/` };

  test.each<[string, Given, object]>([
    ['of a first training', {}, { checkpoints: own, notes: ['a note'] }],
    [
      'of a rerun',
      { facts: { frozen: rerun, earlierCheckpoints: { uri: 's3://own/earlier/', areInUse: false } } },
      { checkpoints: { uri: 's3://own/earlier/' }, notes: ['a note'] },
    ],
    [
      'of a rerun beside another training',
      { facts: { frozen: rerun, earlierCheckpoints: { uri: null, areInUse: true } } },
      { checkpoints: own, notes: ['a note', NOTE] },
    ],
    [
      'that are not wanted, of such a rerun',
      {
        facts: { frozen: rerun, earlierCheckpoints: { uri: null, areInUse: true } },
        training: { checkpoints: false },
      },
      { checkpoints: null, notes: ['a note'] },
    ],
  ])('%s', (_, given, planned) => {
    expect(plan(given)).toMatchObject(planned);
  });
});

describe('a channel', () => {
  const MANIFEST = {
    s3DataType: 'ManifestFile',
    uri: 's3://own/runs/training/clothes/monday/000001/channels/training.manifest',
  };
  const folder = (path: string) => ({ s3DataType: 'S3Prefix', uri: `${FOLDER}${path}` });

  test.each<[string, string, Partial<TrainingPlanFacts['findings']>, object]>([
    ['all of a folder of its own', '', {}, folder('')],
    ['a folder in it', 'train/', {}, folder('train/')],
    ['all of a folder with job.json in it', '', { otherFiles: 'at-root' }, MANIFEST],
    ['a folder beside job.json', 'train/', { otherFiles: 'at-root' }, folder('train/')],
    ['a folder that may hold hidden files', 'train/', { otherFiles: 'anywhere' }, MANIFEST],
    ['files that are not all of a folder', 'train/', { isOwnFolder: false }, MANIFEST],
  ])('of %s is read by prefix or by a manifest of the frozen files', (_, path, findings, place) => {
    const { channels } = plan({ training: { channels: { training: path } }, findings });
    expect(channels).toMatchObject([{ name: 'training', ...place, objects: 2, bytes: 8 }]);
  });

  test('that is mounted is read by prefix, whatever else is there; one that has a manifest of the drop by that', () => {
    const mounted = { training: { inputMode: 'FastFile' }, findings: { otherFiles: 'anywhere' as const } };
    expect(plan(mounted).channels).toMatchObject([folder('')]);
    const own = { channels: { training: { manifest: 'm.json' } } };
    expect(plan({ training: own, findings: { isOwnFolder: false } }).channels).toMatchObject([MANIFEST]);
  });

  test('of which nothing was found has no objects', () => {
    expect(plan({ findings: { inputs: new Map() } }).channels).toMatchObject([{ objects: 0, bytes: 0 }]);
  });
});
