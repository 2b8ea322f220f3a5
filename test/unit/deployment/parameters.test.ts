import { describe, expect, it } from 'vitest';
import { DeclaredParameter } from '../../../src/deployment/declared-parameter.ts';
import { readGivenParameters } from '../../../src/deployment/given-parameters.ts';
import { resolveParameters } from '../../../src/deployment/resolve-parameters.ts';

const declare = (parameters: Record<string, object>) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, one]) => [
      name,
      DeclaredParameter.parse({ Type: 'String', Default: '', ...one }),
    ]),
  );
const DECLARED = declare({
  Stage: { AllowedPattern: '[a-z]{1,5}' },
  BucketName: {},
  KmsKeyArn: { AllowedPattern: '^(arn:.+)?$', ConstraintDescription: 'the ARN of a key' },
  RunsRetentionDays: { Type: 'Number', Default: 365, MinValue: 1, MaxValue: 9999 },
  ReadBucketArns: { Type: 'CommaDelimitedList', AllowedPattern: '^(arn:[^,]+)?$' },
  Password: { NoEcho: true, AllowedPattern: '[a-z]*' },
});
const given = (...options: string[]) => readGivenParameters(options, 'dev', DECLARED);
const resolve = (
  options: readonly string[],
  deployed: Record<string, string> = {},
  importedBucket?: string,
) =>
  resolveParameters({
    declared: DECLARED,
    given: given(...options).values,
    deployed: new Map(Object.entries(deployed)),
    importedBucket,
    stage: 'dev',
  });
const previous = (ParameterKey: string) => ({ ParameterKey, UsePreviousValue: true });
const value = (ParameterKey: string, ParameterValue: string) => ({ ParameterKey, ParameterValue });

describe('what --param gives', () => {
  it('is read by the names of the command line, with all that follows the first =', () => {
    const { values, problems } = given(
      'kmsKeyArn=arn:a=b',
      'readBucketArns=arn:a, arn:b',
      'runsRetentionDays=',
    );
    expect([...values]).toEqual([
      ['KmsKeyArn', 'arn:a=b'],
      ['ReadBucketArns', 'arn:a, arn:b'],
      ['RunsRetentionDays', ''],
    ]);
    expect(problems).toEqual([]);
  });

  it.each([
    ['kmsKeyAnr=arn:x', /^--param kmsKeyAnr: there is no such parameter, did you mean kmsKeyArn\?$/],
    ['KmsKeyArn=arn:x', /did you mean kmsKeyArn\?/],
    ['zzzzzzzzzzzz=1', /there is no such parameter\. There are bucketName, kmsKeyArn, /],
    ['stage=prod', /name the stage with --stage/],
    ['kmsKeyArn', /^--param kmsKeyArn needs a value: --param kmsKeyArn=VALUE$/],
    ['kmsKeyArn=alias/x', /^kmsKeyArn must be the ARN of a key, is 'alias\/x'$/],
    ['runsRetentionDays=0', /^runsRetentionDays must be at least 1, is '0'$/],
    ['runsRetentionDays=99999', /must be at most 9999/],
    ['runsRetentionDays=two', /must be a number/],
    ['readBucketArns=arn:a,b', /^readBucketArns must be text of the form/],
  ])('%s is refused', (option, problem) => {
    expect(given(option).problems).toEqual([expect.stringMatching(problem)]);
  });

  it('is refused twice, and so is a stage that cannot be', () => {
    expect(given('bucketName=a', 'bucketName=b').problems).toEqual([
      '--param bucketName is given twice: give it once',
    ]);
    expect(readGivenParameters([], 'toolong', DECLARED).problems).toEqual([
      "--stage must be text of the form [a-z]{1,5}, is 'toolong'",
    ]);
  });
});

describe('a parameter that is not given', () => {
  it('keeps its deployed value, and gets the default where there is none', () => {
    const { sent, changes, kept } = resolve(['runsRetentionDays=30'], {
      Stage: 'dev',
      KmsKeyArn: 'arn:key',
      RunsRetentionDays: '3650',
    });
    expect(sent).toEqual([value('Stage', 'dev'), previous('KmsKeyArn'), value('RunsRetentionDays', '30')]);
    expect(changes).toEqual([
      {
        option: 'runsRetentionDays',
        from: '3650',
        to: '30',
        effect: expect.stringContaining('S3 deletes plans, predictions and reports older than 30 days'),
      },
    ]);
    expect([...kept]).toEqual([['kmsKeyArn', 'arn:key']]);
  });

  it('is refused where this version no longer takes its deployed value', () => {
    expect(resolve([], { KmsKeyArn: 'alias/x' }).problems).toEqual([
      "kmsKeyArn must be the ARN of a key; the stack has 'alias/x', which this version does not take: add --param kmsKeyArn=VALUE",
    ]);
  });

  it('is not judged where CloudFormation hides its value, nor shown', () => {
    const { sent, problems, kept } = resolve([], { Password: '****' });
    expect([problems, sent]).toEqual([[], [value('Stage', 'dev'), previous('Password')]]);
    expect([...kept]).toEqual([['password', '****']]);
    expect(resolve(['password=secret'], { Password: '****' }).changes).toEqual([
      { option: 'password', from: '****', to: '****', effect: null },
    ]);
  });
});

describe('empty text', () => {
  it('asks for the default, and says what that does', () => {
    const { sent, changes } = resolve(['kmsKeyArn=', 'runsRetentionDays='], {
      KmsKeyArn: 'arn:key',
      RunsRetentionDays: '30',
    });
    expect(sent).toEqual([value('Stage', 'dev'), value('KmsKeyArn', ''), value('RunsRetentionDays', '365')]);
    expect(changes.map(({ option, to, effect }) => [option, to, effect])).toEqual([
      ['kmsKeyArn', '', expect.stringContaining('can no longer read')],
      ['runsRetentionDays', '365', null],
    ]);
  });
});

it('shows a parameter that the new version no longer has, and does not send it', () => {
  const { sent, changes } = resolve([], { Stage: 'dev', Former: 'x', Empty: '' });
  expect(sent).toEqual([value('Stage', 'dev')]);
  expect(changes).toEqual([
    { option: 'former', from: 'x', to: '', effect: 'this version has no such parameter' },
  ]);
});

describe('the bucket', () => {
  it('cannot become another one', () => {
    expect(resolve(['bucketName=b'], { BucketName: 'a' }).problems).toEqual([
      "bucketName must be a, the bucket of the stack, is 'b': leave it out",
    ]);
    expect(resolve(['bucketName=b'], { BucketName: '' }).problems).toEqual([
      'bucketName must not be given: the stack has a bucket with a name that CloudFormation chose',
    ]);
    expect(resolve(['bucketName='], { BucketName: 'a' }).problems).toHaveLength(1);
    expect(resolve(['bucketName=a'], { BucketName: 'a' }).problems).toEqual([]);
  });

  it('that a failed first deployment has taken over is named again', () => {
    expect(resolve([], {}, 'taken').sent).toEqual([value('Stage', 'dev'), value('BucketName', 'taken')]);
    expect(resolve(['bucketName=other'], {}, 'taken').problems).toHaveLength(1);
  });
});
