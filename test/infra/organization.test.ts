import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { forOrganizations } from '../../scripts/for-organizations.ts';
import { packageApplication } from '../../scripts/package-application.ts';
import { madeResources } from '../support/made-resources.ts';

type Json = any;
const BOUNDARY = 'arn:aws:iam::111111111111:policy/boundary';
const TOPIC = 'arn:aws:sns:us-east-1:111111111111:alarms';
/** Every parameter with a value, those of the organization among them. */
const SET = {
  PermissionsBoundaryArn: BOUNDARY,
  AlarmTopicArn: TOPIC,
  ResourceTags: ['CostCenter=42'],
  ReadBucketArns: ['arn:aws:s3:::theirs'],
  ReadKeyArns: ['arn:aws:kms:us-east-1:222222222222:key/theirs'],
  KmsKeyArn: 'arn:aws:kms:us-east-1:111111111111:key/k',
  VpcSubnetIds: ['subnet-1'],
  VpcSecurityGroupIds: ['sg-1'],
  BucketName: 'inferdrop-x',
  NotificationEmail: 'team@example.com',
  ApiJwtIssuer: 'https://login.example.com',
  ApiJwtAudience: ['app'],
  ApiCorsOrigins: ['https://app.example.com'],
  ImageRepositoryArns: ['arn:aws:ecr:us-east-1:222222222222:repository/r'],
  ServeConcurrency: 1,
  Canary: 'yes',
  Dashboard: 'yes',
};

let template: Json;
let made: Record<'all' | 'none', Record<string, Json>>;
beforeAll(async () => {
  const packaged = await packageApplication(path.resolve(import.meta.dirname, '..', '..'), 'dev');
  template = JSON.parse(packaged.template);
  made = { all: madeResources(template, SET), none: madeResources(template) };
});

const ofType = (type: string, resources = made.all) =>
  Object.entries(resources).filter(([, one]) => one.Type === type);
const statementsOf = ({ Properties }: Json): Json[] =>
  [...(Properties.Policies ?? []), ...(Properties.PolicyDocument ? [Properties] : [])].flatMap(
    (policy: Json) => policy.PolicyDocument.Statement,
  );
const allows = (statement: Json, action: RegExp): boolean =>
  statement.Effect === 'Allow' && [statement.Action].flat().some((one) => action.test(one));

describe('with every parameter set', () => {
  it('every role has the boundary', () => {
    const roles = ofType('AWS::IAM::Role');
    expect(roles.length).toBeGreaterThanOrEqual(45);
    for (const [id, { Properties }] of roles)
      expect(Properties.PermissionsBoundary, id).toEqual({ Ref: 'PermissionsBoundaryArn' });
  });

  it('every alarm goes to the topic, and six say that they are over', () => {
    const alarms = ofType('AWS::CloudWatch::Alarm');
    expect(alarms.length).toBeGreaterThanOrEqual(19);
    for (const [id, { Properties }] of alarms) {
      const { AlarmActions, OKActions = AlarmActions } = Properties;
      expect([AlarmActions, OKActions], id).toEqual([[{ Ref: 'AlarmTopicArn' }], [{ Ref: 'AlarmTopicArn' }]]);
    }
    expect(saying(made.all)).toEqual(LASTING);
  });

  it('every role that reads buckets of others may decrypt what is in them, through S3', () => {
    const readers = [...ofType('AWS::IAM::Role'), ...ofType('AWS::IAM::Policy')].filter(([, one]) =>
      statementsOf(one).some(
        (statement) =>
          allows(statement, /^s3:GetObject/) && JSON.stringify(statement.Resource).includes('ReadBucketArns'),
      ),
    );
    expect(readers.length).toBeGreaterThanOrEqual(6);
    for (const [id, one] of readers)
      expect(
        statementsOf(one).filter(({ Resource }) => JSON.stringify(Resource) === '{"Ref":"ReadKeyArns"}'),
        id,
      ).toEqual([
        {
          Effect: 'Allow',
          Action: 'kms:Decrypt',
          Resource: { Ref: 'ReadKeyArns' },
          Condition: { StringLike: { 'kms:ViaService': { 'Fn::Sub': 's3.*.${AWS::URLSuffix}' } } },
        },
      ]);
  });

  it('every function that may make something of SageMaker has the tags, within its variables', () => {
    const makers = ofType('AWS::Lambda::Function').filter(([, { Properties }]) =>
      statementsOf(made.all[Properties.Role['Fn::GetAtt'][0]]).some((statement) =>
        allows(statement, /^sagemaker:Create(?!Presigned)/),
      ),
    );
    expect(makers.map(([id]) => id).sort()).toEqual([
      'DeployDashendpointLambdaFunction',
      'PrepareDashmodelLambdaFunction',
      'RollDashbackDashendpointLambdaFunction',
      'StartDashtrainingLambdaFunction',
      'StartDashtransformLambdaFunction',
    ]);
    for (const [id, { Properties }] of makers) {
      const { RESOURCE_TAGS, ...others } = Properties.Environment.Variables;
      expect(RESOURCE_TAGS, id).toEqual({ 'Fn::Join': [',', { Ref: 'ResourceTags' }] });
      // Lambda takes 4,096 bytes, and the tags up to 3,000.
      expect(JSON.stringify(others).length, id).toBeLessThan(1000);
    }
  });
});

/** Alarms about a state that lasts. */
const LASTING = [
  'DeadLetterAlarm',
  'FailingEndpointSweepsAlarm',
  'LostEventsAlarm',
  'ThrottledExecutionsAlarm',
  'ThrottlesAlarm',
  'WaitingUploadsAlarm',
];
const saying = (resources: Record<string, Json>) =>
  ofType('AWS::CloudWatch::Alarm', resources)
    .filter(([, { Properties }]) => Properties.OKActions !== undefined)
    .map(([id]) => id)
    .sort();

it('with no parameter set nothing of it is there: alarms go to the topic of messages, no role has a boundary or a further key', () => {
  for (const [id, { Properties }] of ofType('AWS::CloudWatch::Alarm', made.none))
    expect([Properties.AlarmActions, Properties.OKActions ?? Properties.AlarmActions], id).toEqual([
      [{ Ref: 'Topic' }],
      [{ Ref: 'Topic' }],
    ]);
  expect(saying(made.none)).toEqual(LASTING);
  expect(JSON.stringify(made.none)).not.toMatch(/PermissionsBoundary|ReadKeyArns|AlarmTopicArn/);
});

it('with no parameter set a template is the same as without the step', () => {
  const { Parameters, Conditions } = template;
  const before = {
    Parameters,
    Conditions,
    Resources: {
      Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: {}, Policies: [] } },
      Bare: { Type: 'AWS::IAM::Role' },
      Alarm: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: { AlarmActions: [{ Ref: 'Topic' }, 'arn:other'], OKActions: [{ Ref: 'Topic' }] },
      },
      Silent: { Type: 'AWS::CloudWatch::Alarm', Properties: { AlarmName: 'a' } },
      Policy: {
        Type: 'AWS::IAM::Policy',
        Properties: {
          PolicyDocument: {
            Statement: [
              { 'Fn::If': ['HasReadBuckets', { Action: 's3:GetObject' }, { Ref: 'AWS::NoValue' }] },
            ],
          },
        },
      },
      Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'q' } },
    },
  };
  const after = structuredClone(before);
  forOrganizations(after);
  expect(after).not.toEqual(before);
  const was = madeResources(before);
  was.Bare.Properties = {};
  expect(madeResources(after)).toEqual(was);
});

it.each(['all', 'none'] as const)(
  'with %s of the parameters set, nothing refers to what is left out',
  (which) => {
    const names = new Set([...Object.keys(made[which]), ...Object.keys(template.Parameters)]);
    const text = JSON.stringify(made[which]);
    const used = [
      ...Array.from(
        text.matchAll(/"(?:Ref|Fn::GetAtt)":(?:"([^"]+)"|\["([^"]+)")/g),
        ([, ref, att]) => ref ?? att!,
      ),
      ...Array.from(text.matchAll(/"Fn::Sub":\[?"([^"]*)"/g), ([, one]) => one!).flatMap((one) =>
        Array.from(one.matchAll(/\$\{(\w+)[.}]/g), ([, name]) => name!),
      ),
    ].filter((one) => !one.startsWith('AWS::') && one !== 'Arns');
    expect(used.length).toBeGreaterThan(400);
    expect([...new Set(used)].filter((one) => !names.has(one))).toEqual([]);
  },
);
