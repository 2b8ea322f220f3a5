import { describe, expect, test } from 'vitest';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { engineOf } from '../../../src/plan/engine-of.ts';
import { judgeConfiguration, writtenProblems } from '../../../src/plan/judge-configuration.ts';
import { eachOnce, judgeFindings } from '../../../src/plan/judge-findings.ts';
import { tighter } from '../../../src/plan/tighter.ts';
import type { Problem } from '../../../src/problem/problem.ts';
import { PIPELINE } from '../../support/drop-fixture.ts';

const problem = (field: string, message = 'is wrong', file = 'pipeline.json'): Problem => ({
  file,
  field,
  value: '',
  message,
});
const judge = (settings: object = {}, problems: readonly Problem[] = []) =>
  judgeConfiguration(
    {
      config: PipelineConfig.parse({ ...PIPELINE, ...settings }),
      classesText: undefined,
      labelsFile: 'pipeline.json',
      sampleFile: 'pipeline.json',
      prices: undefined,
      speeds: [],
      judgedByDrop: [],
      judging: null,
      problems,
    },
    'us-east-1',
  );
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
    ...{ hasTruth: true, hasClasses: true },
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
    ...{ file: 'pipeline.json', field: 'transform.instanceTypes', value: '["ml.zz9.xlarge"]' },
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
  [RECORDS, [], ['transform.contentType']],
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
  const nothing = {
    preflight: { problems: [problem('model.artifact')] },
    profile: {
      sent: { count: 1, bytes: 1, largest: 1 },
      excluded: { unreadable: 0, empty: 2, 'too-large': 0, 'key-too-long': 0 },
      kinds: { notes: () => [] },
    },
    labelled: { problems: [problem('labels.strict')], notes: [], check: null, file: null, index: null },
    sliced: { problems: [problem('report.slices.0')], notes: [] },
    compared: { baseline: null, notes: [], problems: [problem('report.baseline')] },
    sampled: { sample: null, problems: [] },
    samples: [],
  };
  const place = { region: 'us-east-1', hasVpc: false };

  test('are listed together', () => {
    const { problems } = judgeFindings(judge(), nothing, place);
    expect(fieldsOf(problems)).toEqual([
      'model.artifact',
      'report.baseline',
      'labels.strict',
      'report.slices.0',
    ]);
  });

  const sliced = { problems: [], notes: [] };
  const fine = { preflight: { problems: [] }, labelled: { ...nothing.labelled, problems: [] }, sliced };
  const quiet = { ...nothing, ...fine, compared: { ...nothing.compared, problems: [] } };
  const answers = {
    signature: { name: 's', inputs: [], outputs: [{ name: 'y', kind: 'float' as const, shape: [-1, 9] }] },
    isPlain: true,
    answersOutputs: true,
    classes: null,
  };
  const ungated = { endpoint: { deploy: 'when-gate-passes' } };
  const inRecords = {
    transform: { contentType: 'text/csv', accept: 'text/csv', splitType: 'Line', assembleWith: 'Line' },
    labels: { ...PIPELINE.labels, truth: { from: 'record', path: '$[0]' } },
  };
  test.each<[string, object, object, string, readonly string[]]>([
    ['a baseline', {}, { compared: nothing.compared }, 'report.baseline', ['report.baseline', 'report']],
    [
      'answers',
      {},
      { preflight: { problems: [], answers } },
      'labels.classes',
      ['labels.scores', 'model', 'transform'],
    ],
    ['first records', inRecords, {}, '', ['labels.truth', 'transform.splitType']],
    ['an endpoint', ungated, {}, 'endpoint.deploy', ['endpoint.type', 'gate', 'model', 'transform']],
  ])('about %s count unless a field that they depend on is wrong', (_, settings, change, field, fields) => {
    const found = { ...quiet, ...change };
    expect(fieldsOf(judgeFindings(judge(settings), found, place).problems)).toEqual([field]);
    for (const wrong of fields)
      expect(judgeFindings(judge(settings, [problem(wrong)]), found, place).problems).toEqual([]);
  });

  test('about answers need right classes, and are undefined where the archive could not be read', () => {
    const found = { ...quiet, preflight: { problems: [], answers } };
    expect(judgeFindings(judge(TWICE), found, place).problems).toEqual([]);
    expect(judgeFindings(judge(), quiet, place)).toMatchObject({ answers: undefined, processing: undefined });
    const judged = judgeFindings(
      judge({ ...inRecords, labels: { ...inRecords.labels, threshold: 0.5 } }),
      quiet,
      place,
    );
    expect(judged.processing?.processing).toMatchObject({ inputFilter: '$', joinSource: 'Input' });
  });

  test('are left where the field that they depend on is wrong', () => {
    const known = [problem('labels.truth'), problem('model.frameworkVersion')];
    expect(fieldsOf(judgeFindings(judge({}, known), nothing, place).problems)).toEqual(['report.baseline']);
  });

  test('of no input say why none can be sent', () => {
    const none = { ...nothing.profile, sent: { count: 0, bytes: 0, largest: 0 } };
    const reasonOf = (excluded: typeof none.excluded) =>
      judgeFindings(judge(), { ...nothing, profile: { ...none, excluded } }, place).problems.find(
        ({ file, field, value }) => file === 'drop' && field === '' && value === '',
      )?.message;
    expect(reasonOf(none.excluded)).toBe(
      'has no file that can be sent: 2 empty. Upload at least one file that is not empty',
    );
    expect(reasonOf({ unreadable: 0, empty: 1, 'too-large': 3, 'key-too-long': 0 })).toContain(
      'sent: 1 empty, 3 too-large. ',
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
    engineOf(config).quoteUsd(resolvedPrices, [
      {
        ...{ objects: 1, bytes: 1, quotedSeconds: 3600 },
        engine: engineOf(config).jobSettings(config, 1, []).settings,
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
