import { expect, test } from 'vitest';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { buildPlan } from '../../../src/plan/build-plan.ts';
import type { Found } from '../../../src/plan/found.ts';
import { judge, type Verdict } from '../../../src/plan/judge/judge.ts';
import { Plan, type PlannedJob } from '../../../src/plan/plan.ts';
import type { Written } from '../../../src/plan/written.ts';
import { SizeProfile } from '../../../src/transform/size-profile.ts';
import { aRun } from '../../support/a-run.ts';
import { NOW, PARTS, PIPELINE, SETTINGS } from '../../support/drop-fixture.ts';
import { NO_FINDINGS } from '../../support/no-findings.ts';

const SHA = 'a'.repeat(64);
const ENGINE = {
  name: 'sagemaker' as const,
  instanceType: 'ml.m5.xlarge',
  instanceCount: 1,
  maxConcurrentTransforms: 8,
  maxPayloadInMB: 6,
};
const job = (part: number, change: Partial<PlannedJob> = {}): PlannedJob => ({
  part,
  input: `jobs/${part}`,
  objects: 10,
  bytes: 100,
  largestObjectBytes: 10,
  firstKey: 'a',
  lastKey: 'z',
  sample: [],
  outliers: false,
  pilot: false,
  engine: ENGINE,
  quotedSeconds: 600,
  round: 1,
  ...change,
});
const note = (text: string) => ({ notes: [text], problems: [] });

interface Change {
  readonly settings?: object;
  readonly found?: Partial<Found>;
  readonly judged?: Partial<Verdict>;
  readonly written?: Partial<Written>;
  readonly frozen?: Partial<Found['frozen']>;
  readonly judgedByDrop?: readonly string[];
}

function planOf(change: Change = {}): Plan {
  const sent = new SizeProfile();
  for (let input = 0; input < 20; input++) sent.add(10);
  const inputs = NO_FINDINGS.inputs.get('sagemaker')!;
  const excluded = { unreadable: 0, empty: 1, 'too-large': 2, 'key-too-long': 3 };
  const profile = { ...inputs.profile, sent, excluded };
  const vpc = { subnets: ['s'], securityGroups: ['g'] };
  const found: Found = {
    ...NO_FINDINGS,
    opened: { ...NO_FINDINGS.opened, notes: ['of kinds'] },
    run: PARTS,
    settings: { ...SETTINGS, roleArn: 'role', vpc, kmsKeyArn: 'key' },
    configuration: {
      config: PipelineConfig.parse({ ...PIPELINE, ...change.settings }),
      classesText: undefined,
      labelsFile: 'pipeline.json',
      sampleFile: 'pipeline.json',
      prices: undefined,
      speeds: [],
      judgedByDrop: change.judgedByDrop ?? [],
      problems: [],
      judging: 'digest',
    },
    compared: { ...note('of the baseline'), baseline: { asked: 'last-passed', run: null } },
    unread: ['unread'],
    inputs: new Map([['sagemaker', { ...inputs, profile, slices: note('of slices') }]]),
    ...change.found,
    frozen: { ...NO_FINDINGS.frozen, origin: { mode: 'drop' }, ...change.frozen },
  };
  const verdict = judge(found, 'sagemaker');
  const notes = { ...verdict.notes, labels: ['of labels'] };
  const configuration = { ...verdict.configuration, imageUri: 'image' };
  const plan = buildPlan(
    { found, verdict: { ...verdict, notes, ...change.judged, configuration }, notes: [] },
    {
      createdAt: NOW,
      labels: { file: 'runs/labels', etag: 'e1', index: 'runs/index' },
      model: {
        artifact: 's3://m',
        artifactVersion: 'v',
        artifactEtag: 'e',
        sha256: SHA,
        sizeBytes: 5,
        served: null,
        given: null,
      },
      jobs: {
        planned: [job(1), job(2, { engine: { ...ENGINE, maxPayloadInMB: 9, maxConcurrentTransforms: 3 } })],
        outlierBytes: 77,
        pilot: ['a'],
        isPilot: true,
        notes: ['of jobs'],
      },
      quoteUsd: 1.5,
      restQuoteUsd: null,
      mostUsd: 1.5,
      leftUsd: null,
      ...change.written,
    },
  );
  return Plan.parse(plan);
}

test('a plan names what was found and resolved', () => {
  expect(planOf({ settings: { report: { topK: [5, 2, 2] } } })).toMatchObject({
    schema: 1,
    run: 'shapes/monday/000001',
    createdAt: NOW.toISOString(),
    model: {
      name: expect.stringMatching(/^inferdrop-shapes-/),
      artifact: 's3://m',
      sha256: SHA,
      imageUri: 'image',
      executionRoleArn: 'role',
      vpc: { subnets: ['s'], securityGroups: ['g'] },
      framework: 'tensorflow',
    },
    input: { bucket: 'drops', prefix: 'incoming/shapes/monday/' },
    transform: { inputFilter: null, kmsKeyArn: 'key', largestAllowedBytes: 100_000_000 },
    engine: {
      name: 'sagemaker',
      instanceTypes: ['ml.m5.xlarge'],
      maxConcurrentTransforms: 8,
      maxPayloadInMB: 9,
      environment: { SAGEMAKER_GUNICORN_TIMEOUT_SECONDS: expect.any(String) },
    },
    labels: { classes: ['circle', 'square'], file: 'runs/labels', index: 'runs/index', single: 'class' },
    // Of two classes top-5 says nothing.
    report: { topK: [2], baseline: { asked: 'last-passed', run: null } },
    cost: { quoteUsd: 1.5, hourlyUsd: 0.2304, pricesUsd: { 'ml.m5.xlarge': 0.2304 }, source: 'table' },
    objects: 20,
    bytes: 200,
    outlierBytes: 77,
    pilot: ['a'],
    excluded: { unreadable: 0, empty: 1, 'too-large': 2, 'key-too-long': 3 },
    jobs: [{ part: 1 }, { part: 2 }],
    judgedByDrop: [],
    endpoint: { deploy: 'never' },
    judging: 'digest',
    notes: ['of kinds', 'of jobs', 'of the baseline', 'of labels', 'of slices', 'unread'],
  });
});

test('an instance type that is named twice is tried once', () => {
  const instanceTypes = ['ml.c5.xlarge', 'ml.m5.xlarge', 'ml.c5.xlarge'];
  const { engine } = planOf({ settings: { transform: { instanceTypes } } });
  expect(engine).toMatchObject({ instanceTypes: ['ml.c5.xlarge', 'ml.m5.xlarge'] });
});

test('what the signature decided is in the plan', () => {
  const judged: Partial<Verdict> = {
    served: { endpoint: null, notes: ['of the endpoint'], problems: [] },
    answers: { single: 'score', problems: [], notes: ['of answers'] },
    notes: { labels: ['of labels'], slices: ['of slices'] },
  };
  const plan = planOf({ judged });
  expect(plan).toMatchObject({ labels: { single: 'score' }, endpoint: null });
  expect(plan.notes).toEqual([
    ...['of kinds', 'of jobs', 'of answers'],
    ...['of the baseline', 'of labels', 'of slices', 'unread', 'of the endpoint'],
  ]);
});

test.each([
  ['$[1:]', false],
  [null, true],
])(
  'a label in each line with the filter %s: the plan says that the model gets it: %s',
  (inputFilter, isTold) => {
    const settings = {
      transform: { contentType: 'text/csv', splitType: 'Line', inputFilter },
      labels: { classes: ['a', 'b'], truth: { from: 'record', path: '$[0]' } },
    };
    const plan = planOf({ settings });
    expect(plan.transform).toMatchObject({ splitType: 'Line', inputFilter });
    expect(plan.notes.some((note) => note.startsWith('the model gets the label'))).toBe(isTold);
  },
);

test.each([
  [{ instanceTypes: ['ml.m5.xlarge'] }, null],
  [{ instanceTypes: ['ml.g4dn.xlarge'] }, expect.stringContaining('gpu')],
  [{ instanceTypes: ['ml.g4dn.xlarge'], amiVersion: 'al2-own-1' }, 'al2-own-1'],
])('a job with %j asks for the machine image %s', (transform, amiVersion) => {
  expect(planOf({ settings: { transform } }).engine).toMatchObject({ amiVersion });
});

test('of the numbers of best classes those that say something are counted, in order', () => {
  const labels = { classes: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] };
  expect(planOf({ settings: { labels, report: { topK: [5, 1, 7, 3, 8] } } }).report.topK).toEqual([
    1, 3, 5, 7,
  ]);
});

test.each<[string, (plan: Plan) => unknown]>([
  ['another schema', (plan) => ({ ...plan, schema: 2 })],
  ['no run', (plan) => ({ ...plan, run: 'monday' })],
  ['no digest', (plan) => ({ ...plan, model: { ...plan.model, sha256: 'A'.repeat(64) } })],
  ['no archive', (plan) => ({ ...plan, model: { ...plan.model, sizeBytes: 0 } })],
  ['no instance', (plan) => ({ ...plan, engine: { ...plan.engine, instanceTypes: [] } })],
  ['a payload that AWS refuses', (plan) => ({ ...plan, engine: { ...plan.engine, maxPayloadInMB: 101 } })],
  ['no task', (plan) => ({ ...plan, labels: { ...plan.labels, task: undefined } })],
  ['a job of nothing', (plan) => ({ ...plan, jobs: [job(1, { objects: 0 })] })],
  ['a job before the first', (plan) => ({ ...plan, jobs: [job(0)] })],
  ['a negative size', (plan) => ({ ...plan, bytes: -1 })],
  ['no bound of the cost', (plan) => ({ ...plan, limits: { ...plan.limits, maxCostUsd: undefined } })],
])('a plan with %s is not read', (_, damage) => {
  const plan = planOf();
  expect(Plan.safeParse(plan).success).toBe(true);
  expect(Plan.safeParse(damage(plan)).success).toBe(false);
});

test('top-1 counts where no other number fits', () => {
  expect(planOf({ settings: { report: { topK: [7, 9] } } }).report.topK).toEqual([1]);
});

test.each<[Change, number | null]>([
  [{ settings: { limits: { maxCostUsd: 5 } } }, 5],
  [{ settings: { limits: { maxCostUsd: 5 } }, written: { leftUsd: 3 } }, 3],
  [{ settings: { limits: { maxCostUsd: 5 } }, written: { leftUsd: 9 } }, 5],
  [{ settings: { limits: { maxCostUsd: null } }, written: { leftUsd: 9 } }, 9],
  [{ settings: { limits: { maxCostUsd: null } } }, null],
])('by %j a run may cost %s dollars', (change, usd) => {
  expect(planOf(change).limits.maxCostUsd).toBe(usd);
});

const UNPATCHED = { framework: 'tensorflow', frameworkVersion: '2.19.0' };
const HIDDEN = '1 file is not an input, such as ".x": names that begin with a dot';
test.each<[Change, string | undefined]>([
  [
    { written: { quoteUsd: 6 }, settings: { limits: { maxCostUsd: 5 } } },
    'the quote of $6.00 is above limits.maxCostUsd ($5.00): ',
  ],
  [{ written: { quoteUsd: 5 }, settings: { limits: { maxCostUsd: 5 } } }, undefined],
  [{ written: { quoteUsd: null }, settings: { limits: { maxCostUsd: 5 } } }, undefined],
  [{ written: { quoteUsd: null, leftUsd: -1 } }, undefined],
  [{ written: { quoteUsd: 6 }, settings: { limits: { maxCostUsd: null } } }, undefined],
  [{ found: { isCutShort: true } }, 'files were still arriving when drop.maxWaitMinutes'],
  [{ settings: { limits: { maxRuntimeMinutes: 1 } } }, 'the 2 jobs are together quoted at 20 minutes'],
  [{ frozen: { hidden: { count: 1, first: ['.x'] } } }, HIDDEN],
  [{ frozen: { hidden: { count: 2, first: ['.x', '.y'] } } }, '2 files are not inputs, such as ".x"'],
  [{ settings: { model: UNPATCHED } }, "AWS's tensorflow 2.19.0 container has"],
  [{ settings: { model: { ...UNPATCHED, image: 'own' } } }, undefined],
])('%j is noted: %s', (change, words) => {
  const usual = ['of kinds', 'of jobs', 'of the baseline', 'of labels', 'of slices', 'unread'];
  const others = planOf(change).notes.filter((text) => !usual.includes(text));
  expect(others).toEqual(words === undefined ? [] : [expect.stringContaining(words)]);
});

const DEPLOYS = { gate: { minAccuracy: 0.5 }, endpoint: { deploy: 'when-gate-passes' } };
const CANDIDATE = { sha256: SHA, training: 't', baseline: null, maxCostUsd: null };

test.each<[Change, string, boolean]>([
  [{ settings: DEPLOYS }, 'when-gate-passes', false],
  [{ settings: DEPLOYS, judgedByDrop: ['input', 'labels.truth'] }, 'never', true],
  [{ judgedByDrop: ['input', 'labels.truth'] }, 'never', true],
  [{ settings: DEPLOYS, frozen: { candidate: CANDIDATE } }, 'never', false],
])('with %j a run is deployed %s', (change, deploy, isNoted) => {
  const plan = planOf(change);
  expect(plan.endpoint).toMatchObject({ deploy, instanceType: expect.stringMatching(/^ml\./) });
  expect(plan.judgedByDrop).toEqual(change.judgedByDrop ?? []);
  expect(plan.notes[0]).toBe(
    isNoted
      ? 'this run cannot be served: its job.json sets input, labels.truth, and what is served is judged only by ' +
          'pipeline.json, so that no uploader decides it (docs/security.md)'
      : 'of kinds',
  );
});

const TRAINS = { framework: 'tensorflow', version: '2.19', entryPoint: 'train.py' };
const EVALUATED = { ...DEPLOYS, training: { ...TRAINS, after: { evaluate: 'held-out' } } };
const OWN_SET = { run: aRun('shapes/@held-out/000001r2') };
test.each<[string, Change, string, boolean]>([
  [
    'uploads in a pipeline whose models are judged by files of its owner',
    { settings: EVALUATED },
    'never',
    true,
  ],
  ['these files', { settings: EVALUATED, found: OWN_SET }, 'when-gate-passes', false],
  [
    'uploads where nothing judges what is trained',
    { settings: { ...DEPLOYS, training: TRAINS } },
    'when-gate-passes',
    false,
  ],
])('a run of %s is deployed %s', (_, change, deploy, isNoted) => {
  const plan = planOf(change);
  expect(plan.endpoint).toMatchObject({ deploy });
  expect(plan.notes[0]).toBe(
    isNoted
      ? "training.after.evaluate names the files that judge this pipeline's models, so this run deploys none: inferdrop " +
          'endpoints deploy shapes --run shapes/monday/000001 does'
      : 'of kinds',
  );
});

test('a stack without a network, and an instance without a price', () => {
  const settings = {
    transform: { instanceTypes: ['ml.zz9.xlarge'], instanceCount: 3 },
    limits: { maxCostUsd: null, maxCostUsdPerDay: null },
  };
  const bare = { ...SETTINGS, roleArn: 'role', vpc: null, kmsKeyArn: null };
  const plan = planOf({ settings, found: { settings: bare }, written: { quoteUsd: null } });
  expect(plan.model.vpc).toBeNull();
  expect(plan.cost).toMatchObject({
    hourlyUsd: null,
    pricesUsd: { 'ml.zz9.xlarge': null },
    source: 'unknown',
  });
  expect(planOf({ settings: { transform: { instanceCount: 3 } } }).cost.hourlyUsd).toBe(0.6912);
});
