import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type LocalCloudFormation,
  startCloudFormation,
} from '../../packages/laptop/test/support/local-cloudformation.ts';
import { zip } from '../../packages/laptop/test/support/local-messaging.ts';

let local: LocalCloudFormation;
beforeAll(async () => {
  local = await startCloudFormation();
  const code = { Code: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'code' } } };
  await local.deploy('code', { Resources: code });
  await local.stack.objects.write(
    'code',
    'fn.zip',
    await zip({ 'index.mjs': 'export const handler = () => 1' }),
  );
});
afterAll(() => local.close());

const arn = (logicalId: string) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });
const one = (Type: string, Properties: object, others: Record<string, unknown> = {}) => ({
  It: { Type, Properties },
  ...others,
});
const QUEUE = { Type: 'AWS::SQS::Queue' };
const TOPIC = { Type: 'AWS::SNS::Topic' };
const policy = (...Statement: object[]) => ({ Version: '2012-10-17', Statement });
const trust = (Principal: unknown = { Service: 'lambda.amazonaws.com' }, rest: object = {}) =>
  policy({ Effect: 'Allow', Principal, Action: 'sts:AssumeRole', ...rest });
const READ = { Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::b/*' };
const role = (AssumeRolePolicyDocument: unknown, ...statements: object[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument,
    Policies: [{ PolicyName: 'p', PolicyDocument: policy(...(statements.length > 0 ? statements : [READ])) }],
  },
});
const RECEIVE = {
  Effect: 'Allow',
  Action: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
  Resource: '*',
};
const lambda = (Properties: object = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    Handler: 'index.handler',
    Runtime: 'nodejs24.x',
    Role: arn('Role'),
    Code: { S3Bucket: 'code', S3Key: 'fn.zip' },
    ...Properties,
  },
});
const fn = (Properties: object) => ({ It: lambda(Properties), Role: role(trust()) });
const mapping = (Properties: object, queue: object = {}, Function: object = {}) => ({
  It: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: { EventSourceArn: arn('Queue'), FunctionName: { Ref: 'Function' }, ...Properties },
  },
  Queue: { ...QUEUE, Properties: queue },
  Function: lambda(Function),
  Role: role(trust(), RECEIVE),
});
const rule = (target: object, rest: object = {}) =>
  one(
    'AWS::Events::Rule',
    { EventPattern: { source: ['x'] }, Targets: [{ Id: 't', Arn: arn('Queue'), ...target }], ...rest },
    { Queue: QUEUE, Topic: TOPIC },
  );
const pattern = (EventPattern: unknown) => one('AWS::Events::Rule', { EventPattern });
const schedule = (ScheduleExpression: string) => one('AWS::Events::Rule', { ScheduleExpression });
const alarm = (Properties: object) =>
  one('AWS::CloudWatch::Alarm', {
    MetricName: 'm',
    Namespace: 'n',
    Statistic: 'Sum',
    Period: 60,
    EvaluationPeriods: 1,
    Threshold: 1,
    ComparisonOperator: 'GreaterThanThreshold',
    ...Properties,
  });
const subscription = (Properties: object) =>
  one('AWS::SNS::Subscription', { TopicArn: { Ref: 'Topic' }, ...Properties }, { Topic: TOPIC });
const bucket = (Properties: object) => one('AWS::S3::Bucket', Properties);
const expiry = (Rules: object[]) => bucket({ LifecycleConfiguration: { Rules } });
const bucketPolicy = (...Statement: object[]) =>
  one(
    'AWS::S3::BucketPolicy',
    { Bucket: { Ref: 'Bucket' }, PolicyDocument: policy(...Statement) },
    { Bucket: { Type: 'AWS::S3::Bucket' } },
  );
const api = (Type: string, Properties: object) =>
  one(
    `AWS::ApiGatewayV2::${Type}`,
    { ApiId: { Ref: 'Api' }, ...Properties },
    {
      Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'a', ProtocolType: 'HTTP' } },
    },
  );
const machine = (definition: object, rest: object = {}) => ({
  It: {
    Type: 'AWS::StepFunctions::StateMachine',
    Properties: { RoleArn: arn('Role'), Definition: definition, ...rest },
  },
  Role: role(trust({ Service: 'states.amazonaws.com' }), {
    Effect: 'Allow',
    Action: 'logs:*',
    Resource: '*',
  }),
});
const PASS = { QueryLanguage: 'JSONata', StartAt: 'A', States: { A: { Type: 'Pass', End: true } } };

/**
 * Resources that AWS's services refuse when they are made: what is wrong, the resources with it as `It`, and part of the
 * service's message.
 */
const REFUSED: [string, Record<string, unknown>, string | RegExp][] = [
  // Queues
  [
    'a queue’s name with a dot',
    one('AWS::SQS::Queue', { QueueName: 'q.b' }),
    'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
  ],
  [
    'a queue under two kinds of encryption',
    one('AWS::SQS::Queue', { SqsManagedSseEnabled: true, KmsMasterKeyId: 'alias/aws/sqs' }),
    'You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE.',
  ],
  [
    'a redrive policy without a count',
    one('AWS::SQS::Queue', { RedrivePolicy: { deadLetterTargetArn: arn('Queue') } }, { Queue: QUEUE }),
    'Redrive policy does not contain mandatory attribute: maxReceiveCount.',
  ],
  [
    'dead letters in another region',
    one('AWS::SQS::Queue', {
      RedrivePolicy: { deadLetterTargetArn: 'arn:aws:sqs:eu-west-1:000000000000:q', maxReceiveCount: 1 },
    }),
    'Dead-letter target must be in same region as the source.',
  ],
  [
    'the policy of no queue',
    one('AWS::SQS::QueuePolicy', {
      Queues: [],
      PolicyDocument: policy({ Effect: 'Allow', Principal: '*', Action: 'sqs:*', Resource: '*' }),
    }),
    'Queues are required',
  ],
  // Topics
  ['a topic with a space', one('AWS::SNS::Topic', { TopicName: 'a topic' }), 'Invalid parameter: Topic Name'],
  [
    'a display name of 101 characters',
    one('AWS::SNS::Topic', { DisplayName: 'x'.repeat(101) }),
    'Invalid parameter: Attributes Reason: DisplayName',
  ],
  [
    'a protocol that SNS has not',
    subscription({ Protocol: 'mail', Endpoint: 'you@example.com' }),
    'Invalid parameter: Amazon SNS does not support this protocol string: mail',
  ],
  [
    'an invalid address',
    subscription({ Protocol: 'email', Endpoint: 'example.com' }),
    'Invalid parameter: Email address',
  ],
  [
    'a filter of a subscription',
    subscription({ Protocol: 'email', Endpoint: 'you@example.com', FilterPolicy: { a: ['b'] } }),
    'property FilterPolicy of AWS::SNS::Subscription is not understood',
  ],
  [
    'the policy of a topic’s name',
    one('AWS::SNS::TopicPolicy', {
      Topics: ['name'],
      PolicyDocument: policy({ Effect: 'Allow', Principal: '*', Action: 'sns:Publish', Resource: '*' }),
    }),
    'Invalid parameter: TopicArn Reason: An ARN must have at least 6 elements, not 1',
  ],
  // Rules
  ['an input that is not JSON', rule({ Input: 'hello' }), 'JSON syntax error in input for target t'],
  [
    'two inputs',
    rule({ Input: '{}', InputPath: '$.a' }),
    'Only one of Input, InputPath, or InputTransformer must be provided for target t',
  ],
  [
    'a topic for dead letters',
    rule({ DeadLetterConfig: { Arn: { Ref: 'Topic' } } }),
    'sns is not supported as a dead letter resource',
  ],
  [
    'a machine without a role',
    rule({ Arn: 'arn:aws:states:us-east-1:000000000000:stateMachine:m' }),
    'RoleArn is required for target arn:aws:states:us-east-1:000000000000:stateMachine:m',
  ],
  [
    'a pattern of 2,100 bytes',
    pattern({ source: ['x'.repeat(2100)] }),
    /Parameter EventPattern for rule .* exceeds limit of 2048/,
  ],
  ['a pattern with a bare value', pattern({ source: 'x' }), /Event pattern is not valid/],
  ['a pattern with an empty list', pattern({ source: [] }), /Event pattern is not valid/],
  ['a rate of 1 days', schedule('rate(1 days)'), 'Parameter ScheduleExpression is not valid.'],
  ['a cron without a ?', schedule('cron(0 12 * * * *)'), 'Parameter ScheduleExpression is not valid.'],
  // Alarms
  ['a period of 45 s', alarm({ Period: 45 }), 'Period must be 10, 20, 30 or a multiple of 60'],
  [
    'a window of two days',
    alarm({ Period: 300, EvaluationPeriods: 600 }),
    /EvaluationPeriods \* Period must be <= 86400/,
  ],
  [
    'no threshold',
    alarm({ Threshold: { Ref: 'AWS::NoValue' } }),
    'PutMetricAlarm request should have valid Threshold parameter',
  ],
  [
    'a queue as an action',
    alarm({ AlarmActions: ['arn:aws:sqs:us-east-1:000000000000:q'] }),
    'Unsupported AWS vendor sqs',
  ],
  [
    'six actions',
    alarm({ AlarmActions: [1, 2, 3, 4, 5, 6].map((n) => `arn:aws:sns:us-east-1:000000000000:t${n}`) }),
    'Member must have length less than or equal to 5',
  ],
  // Functions
  [
    'a reserved variable',
    fn({ Environment: { Variables: { AWS_REGION: 'eu-west-1' } } }),
    'Lambda was unable to configure your environment variables because the environment variables you have provided ' +
      'contains reserved keys that are currently not supported for modification. Reserved keys used in this request: ' +
      'AWS_REGION',
  ],
  [
    '5 kB of variables',
    fn({ Environment: { Variables: { BIG: 'x'.repeat(5000) } } }),
    'Lambda was unable to configure your environment variables because the environment variables you have provided exceeded the 4KB limit.',
  ],
  [
    'a variable that begins with a digit',
    fn({ Environment: { Variables: { '1A': 'x' } } }),
    '#/Environment/Variables: extraneous key [1A] is not permitted',
  ],
  [
    'a queue with messages that come back too early',
    mapping({}, { VisibilityTimeout: 5 }, { Timeout: 10 }),
    'Queue visibility timeout: 5 seconds is less than Function timeout: 10 seconds',
  ],
  [
    'a batch of 100 without a window',
    mapping({ BatchSize: 100 }),
    'Maximum batch window in seconds must be greater than 0 if maximum batch size is greater than 10',
  ],
  [
    'a starting position in a queue',
    mapping({ StartingPosition: 'LATEST' }),
    'StartingPosition is not valid for SQS event sources.',
  ],
  // Roles
  [
    'an effect in small letters',
    { It: role(trust(), { ...READ, Effect: 'allow' }) },
    'Syntax errors in policy',
  ],
  [
    'a principal in a role’s policy',
    { It: role(trust(), { ...READ, Principal: '*' }) },
    'Policy document should not specify a principal.',
  ],
  ['trust in *', { It: role(trust('*')) }, 'AssumeRolepolicy contained an invalid principal'],
  [
    'trust in *.amazonaws.com',
    { It: role(trust({ Service: '*.amazonaws.com' })) },
    'Invalid principal in policy',
  ],
  [
    'NullIfExists',
    { It: role(trust(), { ...READ, Condition: { NullIfExists: { 'aws:PrincipalArn': 'true' } } }) },
    'Syntax errors in policy',
  ],
  [
    '11 managed policies',
    {
      It: {
        Type: 'AWS::IAM::Role',
        Properties: {
          AssumeRolePolicyDocument: trust(),
          ManagedPolicyArns: Array.from({ length: 11 }, (_, n) => ({ Ref: `P${n}` })),
        },
      },
      ...Object.fromEntries(
        Array.from({ length: 11 }, (_, n) => [
          `P${n}`,
          { Type: 'AWS::IAM::ManagedPolicy', Properties: { PolicyDocument: policy(READ) } },
        ]),
      ),
    },
    'Cannot exceed quota for PoliciesPerRole: 10',
  ],
  // Buckets
  [
    'two lifecycle rules of one name',
    expiry(['a/', 'b/'].map((Prefix) => ({ Id: 'x', Prefix, Status: 'Enabled', ExpirationInDays: 1 }))),
    /Rule ID must be unique/,
  ],
  [
    'a lifecycle rule that does nothing',
    expiry([{ Id: 'x', Prefix: 'a/', Status: 'Enabled' }]),
    /At least one action needs to be specified in a rule|not valid against our published schema/,
  ],
  [
    'a policy with an action that isn’t its resource’s',
    bucketPolicy({ Effect: 'Deny', Principal: '*', Action: 's3:GetObject', Resource: arn('Bucket') }),
    'Action does not apply to any resource(s) in statement',
  ],
  [
    'a policy of another bucket',
    bucketPolicy({
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:GetObject',
      Resource: 'arn:aws:s3:::other/*',
    }),
    'Policy has invalid resource',
  ],
  [
    'a policy without a principal',
    bucketPolicy({ Effect: 'Deny', Action: 's3:GetObject', Resource: 'arn:aws:s3:::other/*' }),
    'Missing required field Principal',
  ],
  // APIs
  [
    'an integration of 31 s',
    api('Integration', {
      IntegrationType: 'AWS_PROXY',
      PayloadFormatVersion: '2.0',
      IntegrationUri: 'arn:aws:lambda:us-east-1:000000000000:function:f',
      TimeoutInMillis: 31_000,
    }),
    /Timeout should be between 50 ms and 30000 ms/,
  ],
  [
    'an integration without a payload version',
    api('Integration', {
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: 'arn:aws:lambda:us-east-1:000000000000:function:f',
    }),
    /PayloadFormatVersion is a required parameter for integration of type AWS_PROXY|PayloadFormatVersion/,
  ],
  [
    'a route without a method',
    api('Route', { RouteKey: '/a', Target: 'integrations/x' }),
    'The provided route key is not formatted properly for HTTP protocol.',
  ],
  // Logs, keys
  ['a log group with a space', one('AWS::Logs::LogGroup', { LogGroupName: 'a b' }), /pattern/],
  [
    'a key that its account cannot change',
    one('AWS::KMS::Key', {
      KeyPolicy: policy({
        Effect: 'Allow',
        Principal: { Service: 'sns.amazonaws.com' },
        Action: 'kms:*',
        Resource: '*',
      }),
    }),
    'The new key policy will not allow you to update the key policy in the future.',
  ],
  // Machines
  [
    'a log without :*',
    machine(PASS, {
      LoggingConfiguration: {
        Level: 'ALL',
        Destinations: [
          { CloudWatchLogsLogGroup: { LogGroupArn: 'arn:aws:logs:us-east-1:000000000000:log-group:x' } },
        ],
      },
    }),
    "Log Group ARN must be provided with '*' qualifier.",
  ],
  [
    'a log of nothing',
    machine(PASS, { LoggingConfiguration: { Level: 'ALL' } }),
    'Must specify exactly one Log Destination.',
  ],
  ['a name with a slash', machine(PASS, { StateMachineName: 'a/b' }), "Invalid Name: 'a/b'"],
];

let count = 0;
test.each(REFUSED)('%s', async (_, Resources, message) => {
  const { status, reasons } = await local.deploy(
    `refused-${(count += 1)}`,
    { Resources },
    { Capabilities: ['CAPABILITY_NAMED_IAM'] },
  );
  expect([status, reasons.join('\n')]).toEqual([
    'ROLLBACK_COMPLETE',
    message instanceof RegExp ? expect.stringMatching(message) : expect.stringContaining(message),
  ]);
});
