import {
  CreateChangeSetCommand,
  UpdateStackCommand,
  ValidateTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalCloudFormation, startCloudFormation } from '../support/local-cloudformation.ts';

let local: LocalCloudFormation;
beforeAll(async () => void (local = await startCloudFormation()));
afterAll(() => local.close());

const QUEUE = { Type: 'AWS::SQS::Queue' };
const Resources = { Queue: QUEUE };
const queues = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`Queue${index}`, QUEUE]));
const parameters = (Parameters: object) => ({ Parameters, Resources });

test.each<[string, object, string]>([
  ['no resource', { Resources: {} }, 'Template format error: At least one Resources member must be defined.'],
  ['an unknown section', { Resources, Resource: {} }, 'Invalid template property or properties [Resource]'],
  [
    'an unknown attribute',
    { Resources: { Queue: { ...QUEUE, Propertys: {} } } },
    "Invalid template resource property 'Propertys'",
  ],
  [
    'a resource without a type',
    { Resources: { Queue: {} } },
    'Template format error: [/Resources/Queue] Every Resources object must contain a Type member.',
  ],
  [
    'a name with a hyphen',
    { Resources: { 'my-queue': QUEUE } },
    'Template format error: Resource name my-queue is non alphanumeric.',
  ],
  [
    'null',
    { Resources: { Queue: { ...QUEUE, Properties: { QueueName: null } } } },
    "Template format error: [/Resources/Queue/Properties/QueueName] 'null' values are not allowed in templates",
  ],
  [
    'too many resources',
    { Resources: queues(501) },
    'Template format error: Number of resources, 501, is greater than maximum allowed, 500',
  ],
  [
    'a reference to nothing',
    { Resources: { Queue: { ...QUEUE, Properties: { QueueName: { Ref: 'Name' } } } } },
    'Template format error: Unresolved resource dependencies [Name] in the Resources block of the template',
  ],
  [
    'a dependency on nothing',
    { Resources: { Queue: { ...QUEUE, DependsOn: 'Topic' } } },
    'Template format error: Unresolved resource dependencies [Topic] in the Resources block of the template',
  ],
  [
    'an output of nothing',
    { Resources, Outputs: { Arn: { Value: { Ref: 'Topic' } } } },
    'Template format error: Unresolved resource dependencies [Topic] in the Outputs block of the template',
  ],
  [
    'a reference to what a condition leaves out',
    {
      Conditions: { Never: { 'Fn::Equals': ['a', 'b'] } },
      Resources: { Queue: QUEUE, Topic: { Type: 'AWS::SNS::Topic', Condition: 'Never' } },
      Outputs: { Arn: { Value: { Ref: 'Topic' } } },
    },
    'Template format error: Unresolved resource dependencies [Topic] in the Outputs block of the template',
  ],
  [
    'an attribute of nothing',
    { Resources, Outputs: { Arn: { Value: { 'Fn::GetAtt': ['Topic', 'Arn'] } } } },
    'Template error: instance of Fn::GetAtt references undefined resource Topic',
  ],
  [
    'an attribute that the type has not',
    { Resources, Outputs: { Arn: { Value: { 'Fn::GetAtt': ['Queue', 'Address'] } } } },
    'Template error: resource Queue does not support attribute type Address in Fn::GetAtt',
  ],
  [
    'text with an attribute of nothing',
    { Resources, Outputs: { Arn: { Value: { 'Fn::Sub': 'x-${Topic.Arn}' } } } },
    'Template error: instance of Fn::Sub references invalid resource attribute Topic.Arn',
  ],
  [
    'an unknown condition',
    { Resources: { Queue: { ...QUEUE, Condition: 'IsProd' } } },
    'Template format error: Unresolved condition dependency IsProd in the Resources block of the template',
  ],
  [
    'a choice by an unknown condition',
    { Resources: { Queue: { ...QUEUE, Properties: { QueueName: { 'Fn::If': ['IsProd', 'a', 'b'] } } } } },
    'Template error: unresolved condition dependency IsProd in Fn::If',
  ],
  [
    'a condition on a resource',
    { Resources, Conditions: { IsProd: { 'Fn::Equals': [{ Ref: 'Queue' }, 'a'] } } },
    'Template format error: Unresolved dependencies [Queue]. Cannot reference resources in the Conditions block of the template',
  ],
  [
    'a circle',
    {
      Resources: {
        A: { ...QUEUE, DependsOn: 'B' },
        B: { ...QUEUE, Properties: { QueueName: { 'Fn::GetAtt': ['A', 'QueueName'] } } },
      },
    },
    'Circular dependency between resources: [A, B]',
  ],
  [
    'a parameter without a value',
    parameters({ Name: { Type: 'String' }, Size: { Type: 'Number' } }),
    'Parameters: [Name, Size] must have values',
  ],
])('a template with %s', async (_, template, message) => {
  await expect(local.review('refused', template)).rejects.toMatchObject({ name: 'ValidationError', message });
});

test.each<[object, string, string]>([
  [{ Type: 'String', AllowedValues: ['a', 'b'] }, 'c', "Parameter 'It' must be one of AllowedValues"],
  [{ Type: 'String', AllowedPattern: '[a-z]+' }, 'A1', "Parameter 'It' must match pattern [a-z]+"],
  [
    { Type: 'CommaDelimitedList', AllowedPattern: '[a-z]+' },
    'a, 1',
    "Parameter 'It' must match pattern [a-z]+",
  ],
  [{ Type: 'Number' }, 'many', "Parameter 'It' must be a number"],
  [{ Type: 'Number', MinValue: 1 }, '0', "Parameter 'It' must be a number not less than 1"],
  [{ Type: 'Number', MaxValue: '5' }, '6', "Parameter 'It' must be a number not greater than 5"],
  [{ Type: 'String', MinLength: 3 }, 'ab', "Parameter 'It' must contain at least 3 characters"],
  [{ Type: 'String', MaxLength: 1 }, 'ab', "Parameter 'It' must contain at most 1 characters"],
  [
    { Type: 'Number', MinValue: 1, ConstraintDescription: 'be positive' },
    '0',
    "Parameter 'It' failed to satisfy constraint: be positive",
  ],
])('a parameter %o that is %s', async (It, ParameterValue, message) => {
  const Parameters = [{ ParameterKey: 'It', ParameterValue }];
  await expect(local.review('refused', parameters({ It }), { Parameters })).rejects.toThrow(message);
});

test('parameters that the template does not declare', async () => {
  const Parameters = [{ ParameterKey: 'Stage', ParameterValue: 'dev' }];
  await expect(local.review('refused', { Resources }, { Parameters })).rejects.toThrow(
    'Parameter values specified for a template which does not require them.',
  );
  const template = parameters({ Name: { Type: 'String', Default: '' } });
  await expect(local.review('refused', template, { Parameters })).rejects.toThrow(
    'Parameters: [Stage] do not exist in the template',
  );
});

test('roles need the deployer to say yes, and named ones more so', async () => {
  const AssumeRolePolicyDocument = {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
    ],
  };
  const role = (Properties: object) => ({
    Resources: { Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument, ...Properties } } },
  });
  await expect(local.review('roles', role({}))).rejects.toMatchObject({
    name: 'InsufficientCapabilitiesException',
    message: 'Requires capabilities : [CAPABILITY_IAM]',
  });
  const named = role({ RoleName: 'reader' });
  await expect(local.review('roles', named, { Capabilities: ['CAPABILITY_IAM'] })).rejects.toThrow(
    'Requires capabilities : [CAPABILITY_NAMED_IAM]',
  );
  expect(
    await local.client.send(new ValidateTemplateCommand({ TemplateBody: JSON.stringify(named) })),
  ).toMatchObject({
    Capabilities: ['CAPABILITY_NAMED_IAM'],
    CapabilitiesReason: 'The following resource(s) require capabilities: [AWS::IAM::Role]',
  });
  const long = await local.deploy('roles', role({ RoleName: 'r'.repeat(65) }), {
    Capabilities: ['CAPABILITY_NAMED_IAM'],
  });
  expect(long).toEqual({
    status: 'ROLLBACK_COMPLETE',
    reasons: [
      'Properties validation failed for resource Role with message:\n#/RoleName: expected maxLength: 64, actual: 65',
    ],
  });
});

test.each<[string, object, string]>([
  ['unknown', { VisibilityTimout: 3 }, '#: extraneous key [VisibilityTimout] is not permitted'],
  [
    'of the wrong type',
    { VisibilityTimeout: [3] },
    '#/VisibilityTimeout: expected type: Integer, found: JSONArray',
  ],
  ['given by AWS', { Arn: 'arn' }, '#: extraneous key [Arn] is not permitted'],
])('a property that is %s', async (name, Properties, problem) => {
  const { status, reasons } = await local.deploy(name.replaceAll(' ', '-'), {
    Resources: { Queue: { ...QUEUE, Properties } },
  });
  expect(status).toBe('ROLLBACK_COMPLETE');
  expect(reasons[0]).toContain(problem);
});

test('a required property, an enumeration, a pattern and a range', async () => {
  const Bucket = {
    Type: 'AWS::S3::Bucket',
    Properties: { BucketName: 'Not_A_Bucket', VersioningConfiguration: { Status: 'On' } },
  };
  const bucket = await local.deploy('patterns', { Resources: { Bucket } });
  expect(bucket.reasons[0]).toMatch(/#\/BucketName: string \[Not_A_Bucket\] does not match pattern/);
  expect(bucket.reasons[0]).toContain('#/VersioningConfiguration/Status: On is not a valid enum value');
  const Function = { Type: 'AWS::Lambda::Function', Properties: { Timeout: '0', Runtime: 'nodejs24.x' } };
  const { reasons } = await local.deploy('required', { Resources: { Function } });
  expect(reasons[0]?.split('\n')).toEqual([
    'Properties validation failed for resource Function with message:',
    '#: required key [Code] not found',
    '#: required key [Role] not found',
    '#/Timeout: 0 is not greater or equal to 1',
  ]);
});

test('templates that are too large, or not where they are said to be', async () => {
  const { client, s3, stack } = local;
  const large = JSON.stringify({ Resources, Metadata: 'x'.repeat(52_000) });
  await expect(client.send(new ValidateTemplateCommand({ TemplateBody: large }))).rejects.toThrow(
    "at 'templateBody' failed to satisfy constraint: Member must have length less than or equal to 51200",
  );
  await s3.send(new CreateBucketCommand({ Bucket: 'templates' }));
  await s3.send(new PutObjectCommand({ Bucket: 'templates', Key: 'large.json', Body: large }));
  for (const TemplateURL of [
    'https://s3.amazonaws.com/templates/large.json',
    'https://templates.s3.us-east-1.amazonaws.com/large.json',
    `${stack.endpoint}/templates/large.json`,
  ])
    expect(await client.send(new ValidateTemplateCommand({ TemplateURL }))).toMatchObject({ Parameters: [] });
  const validate = (TemplateURL: string) => client.send(new ValidateTemplateCommand({ TemplateURL }));
  await expect(validate('https://example.com/large.json')).rejects.toThrow(
    'TemplateURL must be a supported URL.',
  );
  await expect(validate('https://s3.amazonaws.com/templates/none.json')).rejects.toThrow(
    'S3 error: The specified key does not exist.',
  );
  await s3.send(
    new PutObjectCommand({ Bucket: 'templates', Key: 'huge.json', Body: `${large}${' '.repeat(1_000_000)}` }),
  );
  await expect(validate('https://s3.amazonaws.com/templates/huge.json')).rejects.toThrow(
    'Template may not exceed 1000000 bytes in size.',
  );
  await expect(client.send(new ValidateTemplateCommand({ TemplateBody: '{"Resources": ' }))).rejects.toThrow(
    'Template format error: JSON not well-formed.',
  );
});

test('names that another stack has, and what would be the same', async () => {
  const { client, deploy, stack } = local;
  const template = (Properties: object) => ({ Resources: { Queue: { ...QUEUE, Properties } } });
  const fresh = { Resources: { Bucket: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'taken' } } } };
  await deploy('first', fresh);
  expect(await deploy('second', fresh)).toEqual({
    status: 'ROLLBACK_COMPLETE',
    reasons: [`taken already exists in stack ${stack.find('first').stackId}`],
  });
  await deploy('same', template({ VisibilityTimeout: 3 }));
  const again = new UpdateStackCommand({
    StackName: 'same',
    TemplateBody: JSON.stringify(template({ VisibilityTimeout: 3 })),
  });
  await expect(client.send(again)).rejects.toThrow('No updates are to be performed.');
});

test('what is not emulated is refused by name', async () => {
  const request = { StackName: 's', ChangeSetName: 'c', TemplateBody: JSON.stringify({ Resources }) };
  const NotificationARNs = ['arn:aws:sns:us-east-1:000000000000:told'];
  await expect(
    local.client.send(new CreateChangeSetCommand({ ...request, NotificationARNs })),
  ).rejects.toThrow('is not emulated by the local stack');
});
