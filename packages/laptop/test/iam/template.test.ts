import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateModelCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import {
  DescribeExecutionCommand,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { GetQueueUrlCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onBadAnswer } from '../support/bad-answer.ts';
import { zip } from '../support/local-messaging.ts';
import { type LocalStack, localStack } from '../support/local-stack.ts';

const problems: string[] = [];
let stack: LocalStack;

beforeAll(async () => {
  stack = await localStack({ onBadAnswer, onProblem: (line) => problems.push(line) });
  await deploy('code', { Code: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'code' } } });
  const files = { 'index.mjs': 'export const handler = async () => ({ statusCode: 204 })' };
  await stack.objects.write('code', 'fn.zip', await zip(files));
});
afterAll(() => stack.close());

const deploy = (
  stackName: string,
  Resources: Record<string, unknown>,
  Outputs: Record<string, unknown> = {},
) => stack.deploy({ stackName, template: JSON.stringify({ Resources, Outputs }), parameters: {} });
const arn = (logicalId: string) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });
const role = (service: string, ...Statement: unknown[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
    },
    Policies: [{ PolicyName: 'p', PolicyDocument: { Version: '2012-10-17', Statement } }],
  },
});
const lambda = (name: string) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    FunctionName: name,
    Handler: 'index.handler',
    Runtime: 'nodejs24.x',
    Timeout: 900,
    Role: arn('Role'),
    Code: { S3Bucket: 'code', S3Key: 'fn.zip' },
  },
});
const policy = (Queue: string, Service: string) => ({
  Type: 'AWS::SQS::QueuePolicy',
  Properties: {
    Queues: [{ Ref: Queue }],
    PolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Principal: { Service }, Action: 'sqs:SendMessage', Resource: arn(Queue) },
      ],
    },
  },
});
const receive = async (name: string) => {
  const sqs = new SQSClient(stack.client);
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: name }));
  const ask = { QueueUrl, WaitTimeSeconds: 5, MessageAttributeNames: ['All'] };
  return (await sqs.send(new ReceiveMessageCommand(ask))).Messages?.[0];
};
const put = (source: string) =>
  new EventBridgeClient(stack.client).send(
    new PutEventsCommand({ Entries: [{ Source: source, DetailType: 't', Detail: '{"a":1}' }] }),
  );
const rule = (source: string, target: unknown, DeadLetters = 'DeadLetters') => ({
  Type: 'AWS::Events::Rule',
  Properties: {
    EventPattern: { source: [source] },
    Targets: [{ Id: 't', Arn: target, DeadLetterConfig: { Arn: arn(DeadLetters) } }],
  },
});
const queue = (QueueName: string) => ({
  Type: 'AWS::SQS::Queue',
  // As long as the functions may run that read it.
  Properties: { QueueName, VisibilityTimeout: 900 },
});

it('a rule whose function has no permission for it ends in the dead letters', async () => {
  const resources = {
    Role: role('lambda.amazonaws.com'),
    Function: lambda('uninvited'),
    DeadLetters: queue('letters'),
    Policy: policy('DeadLetters', 'events.amazonaws.com'),
    Rule: rule('one', arn('Function')),
  };
  await deploy('one', resources);
  await put('one');

  const { ERROR_CODE, ERROR_MESSAGE, RETRY_ATTEMPTS } = (await receive('letters'))!.MessageAttributes!;
  expect([ERROR_CODE!.StringValue, RETRY_ATTEMPTS!.StringValue]).toEqual(['NO_PERMISSIONS', '0']);
  expect(ERROR_MESSAGE!.StringValue).toBe(
    'User: events.amazonaws.com is not authorized to perform: lambda:InvokeFunction on resource: ' +
      'arn:aws:lambda:us-east-1:000000000000:function:uninvited because no resource-based policy allows the lambda:InvokeFunction action',
  );
});

it('a rule reaches a queue as far as the queue’s policy goes', async () => {
  const resources = (service: string) => ({
    DeadLetters: queue('letters-2'),
    Letters: policy('DeadLetters', 'events.amazonaws.com'),
    Queue: queue('queue-2'),
    Policy: policy('Queue', service),
    Rule: rule('two', arn('Queue')),
  });
  await deploy('two', resources('sns.amazonaws.com'));
  await put('two');
  expect((await receive('letters-2'))!.MessageAttributes!['ERROR_CODE']!.StringValue).toBe('NO_PERMISSIONS');

  await deploy('two', resources('events.amazonaws.com'));
  await put('two');
  expect((await receive('queue-2'))!.Body).toContain('"a":1');

  const { Policy: _, ...without } = resources('events.amazonaws.com');
  await deploy('two', without);
  await put('two');
  expect((await receive('letters-2'))!.MessageAttributes!['ERROR_CODE']!.StringValue).toBe('NO_PERMISSIONS');
});

it('a rule publishes to a topic whose policy names it, under a key that lets it', async () => {
  const statement = (Action: unknown, Resource: unknown, Service: string) => ({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service }, Action, Resource }],
  });
  const resources = (topicFor: string, keyFor: string) => ({
    DeadLetters: queue('letters-3'),
    Letters: policy('DeadLetters', 'events.amazonaws.com'),
    Queue: queue('queue-3'),
    Delivered: policy('Queue', 'sns.amazonaws.com'),
    Key: {
      Type: 'AWS::KMS::Key',
      Properties: {
        KeyPolicy: {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Principal: { AWS: 'arn:aws:iam::000000000000:root' },
              Action: 'kms:*',
              Resource: '*',
            },
            ...statement(['kms:Decrypt', 'kms:GenerateDataKey*'], '*', keyFor).Statement,
          ],
        },
      },
    },
    Topic: { Type: 'AWS::SNS::Topic', Properties: { TopicName: 'topic', KmsMasterKeyId: arn('Key') } },
    TopicPolicy: {
      Type: 'AWS::SNS::TopicPolicy',
      Properties: {
        Topics: [{ Ref: 'Topic' }],
        PolicyDocument: statement('sns:Publish', { Ref: 'Topic' }, topicFor),
      },
    },
    Subscription: {
      Type: 'AWS::SNS::Subscription',
      Properties: { TopicArn: { Ref: 'Topic' }, Protocol: 'sqs', Endpoint: arn('Queue') },
    },
    Rule: rule('three', { Ref: 'Topic' }),
  });
  const events = 'events.amazonaws.com';
  const refused = async () => (await receive('letters-3'))!.MessageAttributes!['ERROR_MESSAGE']!.StringValue;

  await deploy('three', resources('cloudwatch.amazonaws.com', events));
  await put('three');
  expect(await refused()).toContain('no resource-based policy allows the sns:Publish action');
  await deploy('three', resources(events, 'cloudwatch.amazonaws.com'));
  await put('three');
  expect(await refused()).toContain('no resource-based policy allows the kms:GenerateDataKey action');
  await deploy('three', resources(events, events));
  await put('three');
  expect((await receive('queue-3'))!.Body).toContain('Notification');
});

it('a rule starts a machine as a role that trusts it and may', async () => {
  const machineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:started';
  const start = { Effect: 'Allow', Action: 'states:StartExecution', Resource: machineArn };
  const resources = (trusted: string, ...statements: unknown[]) => {
    const target = { Id: 't', Arn: { Ref: 'Machine' }, RoleArn: arn('Starter') };
    return {
      DeadLetters: queue('letters-4'),
      Letters: policy('DeadLetters', 'events.amazonaws.com'),
      Role: role('states.amazonaws.com'),
      Starter: role(trusted, ...statements),
      Machine: {
        Type: 'AWS::StepFunctions::StateMachine',
        Properties: {
          StateMachineName: 'started',
          RoleArn: arn('Role'),
          Definition: { QueryLanguage: 'JSONata', StartAt: 'A', States: PASS },
        },
      },
      Rule: {
        Type: 'AWS::Events::Rule',
        Properties: {
          EventPattern: { source: ['four'] },
          Targets: [{ ...target, DeadLetterConfig: { Arn: arn('DeadLetters') } }],
        },
      },
    };
  };
  const code = async () => (await receive('letters-4'))!.MessageAttributes!['ERROR_CODE']!.StringValue;

  await deploy('four', resources('lambda.amazonaws.com', start));
  await put('four');
  expect(await code()).toBe('FAILED_TO_ASSUME_ROLE');
  await deploy('four', resources('events.amazonaws.com'));
  await put('four');
  expect(await code()).toBe('NO_PERMISSIONS');
  await deploy('four', resources('events.amazonaws.com', start));
  await put('four');
  const sfn = new SFNClient(stack.client);
  await expect
    .poll(async () => (await sfn.send(new ListExecutionsCommand({ stateMachineArn: machineArn }))).executions)
    .toHaveLength(1);
});

it('an API whose function has no permission for it answers 500, and its log says why', async () => {
  const permission = {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      FunctionName: arn('Function'),
      Action: 'lambda:InvokeFunction',
      Principal: 'apigateway.amazonaws.com',
      SourceArn: {
        'Fn::Sub': 'arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${Api}/*/GET/things/*',
      },
    },
  };
  const ApiId = { Ref: 'Api' };
  const route = (RouteKey: string) => ({
    Type: 'AWS::ApiGatewayV2::Route',
    Properties: { ApiId, RouteKey, Target: { 'Fn::Sub': 'integrations/${Integration}' } },
  });
  const resources = {
    Role: role('lambda.amazonaws.com'),
    Function: lambda('behind'),
    Log: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: 'access' } },
    Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'api', ProtocolType: 'HTTP' } },
    Integration: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        ApiId,
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: arn('Function'),
        PayloadFormatVersion: '2.0',
      },
    },
    Things: route('GET /things/{id}'),
    Others: route('GET /others'),
    Stage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: {
        ApiId,
        StageName: '$default',
        AutoDeploy: true,
        AccessLogSettings: {
          DestinationArn: arn('Log'),
          Format: '{"error":"$context.integrationErrorMessage"}',
        },
      },
    },
  };
  const { outputs } = await deploy('api', resources, {
    Url: { Value: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] } },
  });
  const apiUrl = outputs[0]!.value;
  const status = async (at: string) => (await fetch(`${apiUrl}${at}`)).status;

  expect(await status('/things/1')).toBe(500);
  const logs = new CloudWatchLogsClient(stack.client);
  await expect
    .poll(async () => (await logs.send(new FilterLogEventsCommand({ logGroupName: 'access' }))).events)
    .toMatchObject([
      { message: expect.stringContaining("doesn't have permissions to call the integration") },
    ]);
  await deploy('api', { ...resources, Permission: permission });
  expect([await status('/things/1'), await status('/others')]).toEqual([204, 500]);
});

it.each([
  ['AWS::Lambda::Function', 'The role defined for the function cannot be assumed by Lambda.'],
  ['AWS::StepFunctions::StateMachine', 'Neither the global service principal states.amazonaws.com'],
])('a role that trusts others makes no %s', async (type, message) => {
  const machine = {
    Type: type,
    Properties: {
      RoleArn: arn('Role'),
      Definition: { QueryLanguage: 'JSONata', StartAt: 'A', States: PASS },
    },
  };
  const resource = type === 'AWS::Lambda::Function' ? lambda('distrusted') : machine;
  const attempt = deploy(`trust-${type.split(':').at(-1)}`, {
    Role: role('ec2.amazonaws.com'),
    Resource: resource,
  });
  await expect(attempt).rejects.toThrow(message);
});
const PASS = { A: { Type: 'Pass', End: true } };

it('a model is refused a role that does not trust SageMaker', async () => {
  await deploy('model', { Role: { ...role('lambda.amazonaws.com'), ...named('model-role') } });
  const create = new CreateModelCommand({
    ModelName: 'm',
    ExecutionRoleArn: 'arn:aws:iam::000000000000:role/model-role',
    PrimaryContainer: { Image: 'image' },
  });
  await expect(new SageMakerClient(stack.client).send(create)).rejects.toThrow(
    "allows principal 'sagemaker.amazonaws.com' to assume the role",
  );
});
const named = (RoleName: string) => ({
  Properties: { ...role('lambda.amazonaws.com').Properties, RoleName },
});

it('a function that may not read its queue is mapped to none', async () => {
  const resources = {
    Role: role('lambda.amazonaws.com', {
      Effect: 'Allow',
      Action: ['sqs:ReceiveMessage', 'sqs:GetQueueAttributes'],
      Resource: '*',
    }),
    Function: lambda('reader'),
    Queue: queue('read'),
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: { EventSourceArn: arn('Queue'), FunctionName: arn('Function') },
    },
  };
  await expect(deploy('mapping', resources)).rejects.toThrow(
    'The provided execution role does not have permissions to call DeleteMessage on SQS',
  );
});

it.each([
  [{ TracingConfig: { Mode: 'Active' } }, 'PutTraceSegments on XRAY'],
  [{ DeadLetterConfig: { TargetArn: arn('Queue') } }, 'SendMessage on SQS'],
])('a function whose role may not do what its setting %j needs is refused', async (setting, call) => {
  const { Properties, ...function_ } = lambda('needing');
  const resources = {
    Role: role('lambda.amazonaws.com', { Effect: 'Allow', Action: ['logs:PutLogEvents'], Resource: '*' }),
    Queue: queue('letters'),
    Function: { ...function_, Properties: { ...Properties, ...setting } },
  };
  await expect(deploy(call.split(' ')[0]!, resources)).rejects.toThrow(
    `The provided execution role does not have permissions to call ${call}`,
  );
});

it('a machine whose role may not set up its log is refused', async () => {
  const resources = {
    Role: role('states.amazonaws.com'),
    Log: { Type: 'AWS::Logs::LogGroup', Properties: {} },
    Machine: {
      Type: 'AWS::StepFunctions::StateMachine',
      Properties: {
        RoleArn: arn('Role'),
        Definition: { QueryLanguage: 'JSONata', StartAt: 'A', States: PASS },
        LoggingConfiguration: {
          Level: 'ALL',
          Destinations: [{ CloudWatchLogsLogGroup: { LogGroupArn: arn('Log') } }],
        },
      },
    },
  };
  await expect(deploy('log', resources)).rejects.toThrow('not authorized to access the Log Destination');
});

const logGroup = { Type: 'AWS::Logs::LogGroup', Properties: {} };
const machineOf = (States: unknown, more = {}) => ({
  Type: 'AWS::StepFunctions::StateMachine',
  Properties: {
    RoleArn: arn('Role'),
    Definition: { QueryLanguage: 'JSONata', StartAt: 'A', States },
    ...more,
  },
});
const allow = (Action: unknown, Resource: unknown = '*') => ({ Effect: 'Allow', Action, Resource });

it('a machine whose role may not send traces is refused', async () => {
  const machine = machineOf(PASS, { TracingConfiguration: { Enabled: true } });
  const xray = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords', 'xray:GetSamplingRules'];
  const traced = (...calls: string[]) =>
    deploy('traced', { Role: role('states.amazonaws.com', allow(calls)), Log: logGroup, Machine: machine });
  await expect(traced(...xray)).rejects.toThrow('not authorized to send traces');
  await stack.delete('traced');
  await traced(...xray, 'xray:GetSamplingTargets');
});

it.each([
  ['PermissionsBoundary', 'arn:aws:iam::000000000000:policy/none', 'does not exist or is not attachable'],
  ['PermissionsBoundary', 'arn:aws:iam::aws:policy/ReadOnlyAccess', 'does not have'],
  ['RoleName', 'n'.repeat(65), 'RoleName'],
  ['MaxSessionDuration', 60, 'MaxSessionDuration'],
])('a role is refused for its %s', async (property, value, message) => {
  const { Properties } = role('lambda.amazonaws.com');
  const Role = { Type: 'AWS::IAM::Role', Properties: { ...Properties, [property]: value } };
  await expect(deploy('refused', { Role })).rejects.toThrow(message);
  await stack.delete('refused');
});

it('policies are as long as IAM lets them be', async () => {
  const long = (count: number) =>
    allow(
      's3:GetObject',
      Array.from({ length: count }, (_, n) => `arn:aws:s3:::bucket-${n}/*`),
    );
  const document = { Version: '2012-10-17', Statement: long(250) };
  const Role = role('lambda.amazonaws.com', long(250));
  await expect(deploy('long', { Role: role('lambda.amazonaws.com', long(500)) })).rejects.toThrow(
    'Maximum policy size of 10240 bytes exceeded for role',
  );
  await stack.delete('long');
  const attached = { PolicyName: 'p', PolicyDocument: document, Roles: [{ Ref: 'Role' }] };
  await expect(
    deploy('long', { Role, Policy: { Type: 'AWS::IAM::Policy', Properties: attached } }),
  ).rejects.toThrow('Maximum policy size of 10240 bytes exceeded for role');
  await stack.delete('long');
  const Managed = { Type: 'AWS::IAM::ManagedPolicy', Properties: { PolicyDocument: document } };
  await expect(deploy('long', { Managed })).rejects.toThrow('Cannot exceed quota for PolicySize: 6144');
  await stack.delete('long');
});

it('a Distributed Map, and a nested execution, need the permission to start', async () => {
  const map = {
    Type: 'Map',
    Items: [1, 2],
    ItemProcessor: {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'A',
      States: PASS,
    },
    End: true,
  };
  const nested = {
    Type: 'Task',
    Resource: 'arn:aws:states:::states:startExecution',
    Arguments: { StateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:map' },
    TimeoutSeconds: 9,
    End: true,
  };
  const machine = (StateMachineName: string, state: unknown) => ({
    Type: 'AWS::StepFunctions::StateMachine',
    Properties: {
      StateMachineName,
      RoleArn: arn('Role'),
      Definition: { QueryLanguage: 'JSONata', StartAt: 'S', States: { S: state } },
    },
  });
  const start = {
    Effect: 'Allow',
    Action: 'states:StartExecution',
    Resource: 'arn:aws:states:us-east-1:000000000000:stateMachine:map',
  };
  const resources = (...statements: unknown[]) => ({
    Role: role('states.amazonaws.com', ...statements),
    Map: machine('map', map),
    Nested: machine('nested', nested),
  });
  const sfn = new SFNClient(stack.client);
  const run = async (name: string) => {
    const stateMachineArn = `arn:aws:states:us-east-1:000000000000:stateMachine:${name}`;
    const { executionArn } = await sfn.send(new StartExecutionCommand({ stateMachineArn }));
    const describe = () => sfn.send(new DescribeExecutionCommand({ executionArn }));
    await expect.poll(describe).not.toMatchObject({ status: 'RUNNING' });
    return describe();
  };

  await deploy('machines', resources());
  expect(await run('map')).toMatchObject({
    status: 'FAILED',
    error: 'States.Permissions',
    cause: expect.stringContaining('is not authorized to perform: states:StartExecution on resource'),
  });
  expect(await run('nested')).toMatchObject({
    status: 'FAILED',
    error: 'StepFunctions.AccessDeniedException',
  });

  await deploy('machines', resources(start));
  expect((await run('map')).status).toBe('SUCCEEDED');
  expect((await run('nested')).status).toBe('SUCCEEDED');
});

it('what a bucket’s policy denies to every principal is denied to its owner; a demand for TLS is met', async () => {
  const statement = (Action: string, Condition?: unknown) => ({
    Effect: 'Deny',
    Principal: '*',
    Action,
    Resource: 'arn:aws:s3:::kept/*',
    ...(Condition === undefined ? {} : { Condition }),
  });
  const resources = {
    Bucket: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'kept' } },
    Policy: {
      Type: 'AWS::S3::BucketPolicy',
      Properties: {
        Bucket: { Ref: 'Bucket' },
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            statement('s3:DeleteObject'),
            statement('s3:*', { Bool: { 'aws:SecureTransport': 'false' } }),
            statement('s3:PutObject', { Null: { 's3:x-amz-server-side-encryption': 'true' } }),
          ],
        },
      },
    },
  };
  await deploy('bucket', resources);
  const s3 = new S3Client({ ...stack.client, forcePathStyle: true });
  const at = { Bucket: 'kept', Key: 'k' };

  await expect(s3.send(new PutObjectCommand({ ...at, Body: 'x' }))).rejects.toThrow('s3:PutObject');
  await s3.send(new PutObjectCommand({ ...at, Body: 'x', ServerSideEncryption: 'AES256' }));
  await expect(s3.send(new DeleteObjectCommand(at))).rejects.toMatchObject({
    name: 'AccessDenied',
    message:
      'User: arn:aws:iam::000000000000:root is not authorized to perform: s3:DeleteObject on resource: ' +
      'arn:aws:s3:::kept/k with an explicit deny in a resource-based policy',
  });
  await deploy('bucket', { Bucket: resources.Bucket });
  await s3.send(new DeleteObjectCommand(at));
});

it('an alarm whose topic does not let it in is reported when it is deployed', async () => {
  const resources = (Service: string) => ({
    Topic: { Type: 'AWS::SNS::Topic', Properties: { TopicName: 'alarms' } },
    Alarm: {
      Type: 'AWS::CloudWatch::Alarm',
      Properties: {
        AlarmName: 'loud',
        AlarmActions: [{ Ref: 'Topic' }],
        MetricName: 'm',
        Namespace: 'n',
        Statistic: 'Sum',
        Period: 60,
        EvaluationPeriods: 1,
        Threshold: 1,
        ComparisonOperator: 'GreaterThanThreshold',
      },
    },
    Policy: {
      Type: 'AWS::SNS::TopicPolicy',
      Properties: {
        Topics: [{ Ref: 'Topic' }],
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Principal: { Service }, Action: 'sns:Publish', Resource: '*' }],
        },
      },
    },
  });

  await deploy('alarms', resources('events.amazonaws.com'));
  expect(problems.splice(0)).toEqual([
    expect.stringMatching(
      /^cloudwatch: alarm loud: Failed to execute action .*:alarms\. Received error: .*sns:Publish/,
    ),
  ]);
  await deploy('alarms', resources('cloudwatch.amazonaws.com'));
  // The policy of a topic that was given none lets alarms in.
  const { Policy: _, ...without } = resources('');
  await deploy('alarms', without);
  expect(problems).toEqual([]);
});
