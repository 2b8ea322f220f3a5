import { describe, expect, test } from 'vitest';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { quoteOf } from '../../../src/plan/build-plan.ts';
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
      prices: undefined,
      judgedByDrop: [],
      judging: null,
      problems,
    },
    'us-east-1',
  );
const fieldsOf = (problems: readonly Problem[]) => problems.map(({ field }) => field);

test('a field of a file is named once, and what the drop says comes first', () => {
  const ofDrop = [{ file: 'job.json', field: 'input', value: { s3Prefix: 1 }, message: 'must be a URI' }];
  const problems = [problem('input', 'again', 'job.json'), problem('gate'), problem('gate', 'once more')];
  expect(writtenProblems('monday', ofDrop, { problems })).toEqual([
    { file: 'job.json', field: 'input', value: '{"s3Prefix":1}', message: 'must be a URI' },
    problem('gate'),
  ]);
});

test('a right configuration has nothing against it', () => {
  const { further, hasTruth, imageUri, classes } = judge();
  expect(further).toEqual([]);
  expect({ hasTruth, classes }).toEqual({ hasTruth: true, classes: PIPELINE.labels.classes });
  expect(imageUri).toContain('tensorflow-inference:2.19.0-cpu');
});

const TWICE = { labels: { ...PIPELINE.labels, classes: ['a', 'a'] } };
const NO_TYPE = { transform: { instanceTypes: ['ml.none.xlarge'] } };

test.each([
  [TWICE, [], ['labels.classes']],
  [TWICE, [problem('labels.classes')], []],
  [NO_TYPE, [problem('model'), problem('limits')], []],
])('what %j has against it, with %j known: %j', (settings, known, fields) => {
  expect(fieldsOf(judge(settings, known).further)).toEqual(fields);
});

describe('findings', () => {
  const nothing = {
    preflight: { problems: [problem('model.artifact')] },
    profile: {
      sent: { count: 1, bytes: 1, largest: 1 },
      excluded: { empty: 2, 'too-large': 0, 'key-too-long': 0 },
      kinds: { notes: () => [] },
    },
    labelled: { problems: [problem('labels.strict')], notes: [], check: null, file: null, index: null },
    compared: { baseline: null, notes: [], problems: [problem('report.baseline')] },
    samples: [],
  };
  const place = { region: 'us-east-1', hasVpc: false };

  test('are listed together', () => {
    const { problems } = judgeFindings(judge(), nothing, place);
    expect(fieldsOf(problems)).toEqual(['model.artifact', 'report.baseline', 'labels.strict']);
  });

  test('are left where the field that they depend on is wrong', () => {
    const known = [problem('labels.truth'), problem('model.frameworkVersion')];
    expect(fieldsOf(judgeFindings(judge({}, known), nothing, place).problems)).toEqual(['report.baseline']);
  });

  test('of no input say why none can be sent', () => {
    const none = { ...nothing.profile, sent: { count: 0, bytes: 0, largest: 0 } };
    const reasonOf = (excluded: typeof none.excluded) =>
      judgeFindings(judge(), { ...nothing, profile: { ...none, excluded } }, place).problems.find(
        ({ file }) => file === 'drop',
      )?.message;
    expect(reasonOf(none.excluded)).toBe(
      'has no file that can be sent: 2 empty. Upload at least one file that is not empty',
    );
    expect(reasonOf({ empty: 1, 'too-large': 3, 'key-too-long': 0 })).toContain(
      'sent: 1 empty, 3 too-large. ',
    );
    expect(reasonOf({ empty: 0, 'too-large': 0, 'key-too-long': 0 })).toBe(
      'has no files. Upload at least one file that is not empty',
    );
  });

  test('of the same words about the same field are one', () => {
    expect(eachOnce([problem('a'), problem('b'), problem('a'), problem('a', 'is another')])).toHaveLength(3);
  });
});

test('a quote needs the price of the first instance type', () => {
  const jobs = [{ quotedSeconds: 1800 }, { quotedSeconds: 1800 }];
  expect(quoteOf(judge(), jobs)).toBeGreaterThan(0);
  expect(quoteOf(judge(NO_TYPE), jobs)).toBeNull();
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
