import { describe, expect, test } from 'vitest';
import { tighter } from '../../../src/pipeline/limit-settings.ts';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { forEngine } from '../../../src/plan/engine/engine-config.ts';
import { planningOf } from '../../../src/plan/engine/engine-of.ts';
import type { Found, FoundInputs } from '../../../src/plan/found.ts';
import { judge as judgeFound } from '../../../src/plan/judge/judge.ts';
import { judgeConfiguration, writtenProblems } from '../../../src/plan/judge/judge-configuration.ts';
import { eachOnce } from '../../../src/problem/each-once.ts';
import type { Problem } from '../../../src/problem/problem.ts';
import { SizeProfile } from '../../../src/transform/size-profile.ts';
import { PARTS, PIPELINE, SETTINGS } from '../../support/drop-fixture.ts';
import { NO_FINDINGS } from '../../support/no-findings.ts';

const problem = (field: string, message = 'is wrong', file = 'pipeline.json'): Problem => ({
  file,
  field,
  value: '',
  message,
});
const configured = (settings: object = {}, problems: readonly Problem[] = []) => ({
  config: forEngine(PipelineConfig.parse({ ...PIPELINE, ...settings }), 'sagemaker', SETTINGS),
  classesText: undefined,
  labelsFile: 'pipeline.json' as const,
  sampleFile: 'pipeline.json' as const,
  prices: undefined,
  speeds: [],
  judgedByDrop: [],
  judging: null,
  problems,
});
const judge = (settings: object = {}, problems: readonly Problem[] = []) =>
  judgeConfiguration(configured(settings, problems), 'us-east-1');
const fieldsOf = (problems: readonly Problem[]) => problems.map(({ field }) => field);

test('a field of a file is named once, and what the drop says comes first', () => {
  const ofDrop = [{ file: 'job.json', field: 'input', value: { s3Prefix: 1 }, message: 'must be a URI' }];
  const problems = [
    problem('input', 'again', 'job.json'),
    problem('gate'),
    problem('gate', 'once more'),
    problem('gate', 'is another file', 'job.json'),
  ];
  expect(writtenProblems('monday', ofDrop, { problems })).toEqual([
    { file: 'job.json', field: 'input', value: '{"s3Prefix":1}', message: 'must be a URI' },
    problem('gate'),
    problem('gate', 'is another file', 'job.json'),
  ]);
  expect(writtenProblems('mon\nday', undefined, { problems: [] })).toMatchObject([{ file: 'drop' }]);
});

test('a right configuration has nothing against it', () => {
  const { further, hasTruth, hasClasses, imageUri, classes } = judge();
  expect(further).toEqual([]);
  expect({ hasTruth, hasClasses, classes }).toEqual({
    hasTruth: true,
    hasClasses: true,
    classes: PIPELINE.labels.classes,
  });
  expect(imageUri).toContain('tensorflow-inference:2.20-cpu');
});

const TWICE = { labels: { ...PIPELINE.labels, classes: ['a', 'a'] } };
const NO_TYPE = { transform: { instanceTypes: ['ml.none.xlarge'] } };
const NO_PATTERN = { labels: { ...PIPELINE.labels, truth: { from: 'key', pattern: '(' } } };
const RECORDS = { labels: { ...PIPELINE.labels, truth: { from: 'record', path: '$.y' } } };
const NO_BASELINE = { gate: { maxAccuracyDrop: 0.1 } };
const NO_CONTAINER = {
  transform: { instanceTypes: ['ml.inf1.xlarge'] },
  limits: { maxCostUsd: null, maxCostUsdPerDay: null },
};
const NO_VERSION = { model: { ...PIPELINE.model, frameworkVersion: '9.9' } };

test.each<[object, object]>([
  [TWICE, { hasClasses: false, hasTruth: false }],
  [NO_PATTERN, { hasClasses: true, hasTruth: false }],
  [{ labels: { ...TWICE.labels, truth: NO_PATTERN.labels.truth } }, { hasClasses: false, hasTruth: false }],
])('by %j labels can be checked: %j', (settings, expected) => {
  expect(judge(settings)).toMatchObject(expected);
});

test('an unknown price is held against both bounds', () => {
  expect(judge({ transform: { instanceTypes: ['ml.zz9.xlarge'] } }).further).toContainEqual({
    file: 'pipeline.json',
    field: 'transform.instanceTypes',
    value: '["ml.zz9.xlarge"]',
    message: expect.stringMatching(
      /^cannot be held within limits.maxCostUsd 20: .* set limits.maxCostUsd and limits.maxCostUsdPerDay to null$/,
    ),
  });
});

test.each([
  [TWICE, [], ['labels.classes']],
  [TWICE, [problem('labels.classes')], []],
  [NO_TYPE, [problem('model'), problem('limits')], []],
  [NO_TYPE, [problem('transform.instanceTypes'), problem('limits')], []],
  [RECORDS, [], ['transform.contentType', 'transform.splitType']],
  [RECORDS, [problem('labels.truth.path')], []],
  [RECORDS, [problem('transform.accept')], []],
  [NO_BASELINE, [], ['gate.maxAccuracyDrop']],
  [NO_BASELINE, [problem('gate')], []],
  [NO_BASELINE, [problem('report.baseline')], []],
  [NO_BASELINE, [problem('labels.classes')], []],
  [NO_VERSION, [], ['model.frameworkVersion']],
  [NO_CONTAINER, [], ['transform.instanceTypes.0', 'transform.instanceTypes.0']],
  [NO_CONTAINER, [problem('transform.instanceTypes')], []],
  [NO_VERSION, [problem('model.image')], []],
])('what %j has against it, with %j known: %j', (settings, known, fields) => {
  expect(fieldsOf(judge(settings, known).further)).toEqual(fields);
});

describe('findings', () => {
  const nothing = NO_FINDINGS;
  const wrong: Partial<Found> = {
    model: { artifact: 's3://m', problems: [problem('model.artifact')] },
    compared: { baseline: null, notes: [], problems: [problem('report.baseline')] },
    labelFile: {
      source: { key: 'k', etag: 'e' },
      from: '',
      isOneHot: false,
      parts: [],
      problems: [problem('labels.strict')],
    },
  };
  const slices = { problems: [problem('report.slices.0')], notes: [] };
  const verdictOf = (
    configuration: Found['configuration'],
    change: Partial<Found> = {},
    inputs: Partial<FoundInputs> = {},
  ) =>
    judgeFound(
      {
        ...nothing,
        run: PARTS,
        settings: { ...SETTINGS, vpc: null },
        configuration,
        inputs: new Map([['sagemaker', { ...nothing.inputs.get('sagemaker')!, ...inputs }]]),
        ...change,
      },
      'sagemaker',
    );

  test('are listed together', () => {
    const { problems } = verdictOf(configured(), wrong, { slices });
    expect(fieldsOf(problems)).toEqual([
      'model.artifact',
      'report.baseline',
      'labels.strict',
      'report.slices.0',
    ]);
  });

  const signature = {
    name: 's',
    inputs: [],
    outputs: [{ name: 'y', kind: 'float' as const, shape: [-1, 9] }],
  };
  const answering: Found['model'] = {
    artifact: 's3://m',
    place: { bucket: 'b', key: 'm', etag: 'e' },
    archive: {
      sha256: 'a'.repeat(64),
      sizeBytes: 5,
      files: ['1/saved_model.pb', '1/variables/variables.index'],
      onnx: null,
      signatures: new Map([['1/saved_model.pb', [{ ...signature, name: 'serving_default' }]]]),
      scripts: new Map(),
      kinds: new Map([['1/saved_model.pb', 'saved-model' as any]]),
    },
    problems: [],
  };
  const asJson = { transform: { contentType: 'application/json' } };
  const ungated = { endpoint: { deploy: 'when-gate-passes' } };
  test.each<[string, object, object, string, readonly string[]]>([
    ['a baseline', {}, { compared: wrong.compared }, 'report.baseline', ['report.baseline', 'report']],
    ['answers', asJson, { model: answering }, 'labels.classes', ['labels.scores', 'model', 'transform']],
    ['an endpoint', ungated, {}, 'endpoint.deploy', ['endpoint.type', 'gate', 'model', 'transform']],
  ])('about %s count unless a field that they depend on is wrong', (_, settings, change, field, fields) => {
    const own = configured(settings);
    const { further } = judgeConfiguration(own, 'us-east-1');
    const against = (problems: readonly Problem[]) =>
      verdictOf({ ...own, problems }, change).problems.filter(
        (each) => !further.some(({ message }) => message === each.message),
      );
    expect(fieldsOf(against([]))).toEqual([field]);
    for (const known of fields) expect(against([problem(known)])).toEqual([]);
  });

  test('about answers need right classes, and are undefined where the archive could not be read', () => {
    const { problems } = verdictOf(configured({ ...TWICE, ...asJson }), { model: answering });
    expect(fieldsOf(problems)).toEqual(fieldsOf(judge(TWICE).further));
    expect(verdictOf(configured())).toMatchObject({ answers: undefined });
  });

  test('are left where the field that they depend on is wrong', () => {
    const known = [problem('labels.truth'), problem('model.frameworkVersion')];
    expect(fieldsOf(verdictOf(configured({}, known), wrong, { slices }).problems)).toEqual([
      'report.baseline',
    ]);
  });

  test('of no input say why none can be sent', () => {
    const none = { ...nothing.inputs.get('sagemaker')!.profile, sent: new SizeProfile() };
    const reasonOf = (excluded: typeof none.excluded) =>
      verdictOf(configured(), {}, { profile: { ...none, excluded } }).problems.find(
        ({ file, field, value }) => file === 'drop' && field === '' && value === '',
      )?.message;
    expect(reasonOf({ unreadable: 0, empty: 2, 'too-large': 0, 'key-too-long': 0 })).toBe(
      'has no file that can be sent: 2 empty. Upload at least one file that is not empty',
    );
    expect(reasonOf({ unreadable: 0, empty: 1, 'too-large': 3, 'key-too-long': 0 })).toContain(
      'sent: 1 empty, 3 too-large. ',
    );
    expect(reasonOf({ unreadable: 1_000, empty: 0, 'too-large': 0, 'key-too-long': 0 })).toBe(
      'has no file that can be sent: 1,000 unreadable. Correct the files or records that the other problems name',
    );
    expect(reasonOf({ unreadable: 0, empty: 0, 'too-large': 0, 'key-too-long': 0 })).toBe(
      'has no files. Upload at least one file that is not empty',
    );
  });

  test('of the same words about the same field are one', () => {
    expect(eachOnce([problem('a'), problem('b'), problem('a'), problem('a', 'is another')])).toHaveLength(3);
  });
});

test('a quote needs the price of the first instance type', () => {
  const quoteOf = ({ config, resolvedPrices }: ReturnType<typeof judge>) =>
    planningOf('sagemaker').quoteUsd(resolvedPrices, [
      {
        objects: 1,
        bytes: 1,
        quotedSeconds: 3600,
        engine: planningOf('sagemaker').jobSettings(config, 1, []).settings,
      },
    ]);
  expect(quoteOf(judge())).toBeGreaterThan(0);
  expect(quoteOf(judge(NO_TYPE))).toBeNull();
});

test.each([
  [1, 2, 1],
  [2, 1, 1],
  [null, 2, 2],
  [2, null, 2],
  [null, null, null],
])('of the bounds %s and %s holds %s', (a, b, bound) => {
  expect(tighter(a, b)).toBe(bound);
});
