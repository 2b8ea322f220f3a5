import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalCloudFormation, startCloudFormation } from '../support/local-cloudformation.ts';
import { zip } from '../support/local-messaging.ts';

let local: LocalCloudFormation;
beforeAll(async () => void (local = await startCloudFormation()));
afterAll(() => local.close());

test('a function whose role may not write its log runs, and leaves none', async () => {
  const policy = (Statement: object[]) => ({ Version: '2012-10-17', Statement });
  const trusted = {
    Effect: 'Allow',
    Principal: { Service: 'lambda.amazonaws.com' },
    Action: 'sts:AssumeRole',
  };
  const write = { Effect: 'Allow', Action: ['logs:CreateLogStream', 'logs:PutLogEvents'] };
  const group = (LogGroupName: string) => ({ Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName } });
  const role = (...Statement: object[]) => ({
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: policy([trusted]),
      ...(Statement.length > 0 && { Policies: [{ PolicyName: 'p', PolicyDocument: policy(Statement) }] }),
    },
  });
  const lambda = (FunctionName: string, Role: string) => ({
    Type: 'AWS::Lambda::Function',
    Properties: {
      FunctionName,
      Handler: 'index.handler',
      Runtime: 'nodejs24.x',
      Role: { 'Fn::GetAtt': [Role, 'Arn'] },
      Code: { S3Bucket: 'code', S3Key: 'fn.zip' },
    },
  });
  await local.deploy('code', {
    Resources: { Code: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'code' } } },
  });
  const code = { 'index.mjs': 'export const handler = async () => { console.log("hello"); return 1 }' };
  await local.stack.objects.write('code', 'fn.zip', await zip(code));
  const deployed = await local.deploy(
    'functions',
    {
      Resources: {
        Writes: role({ ...write, Resource: { 'Fn::GetAtt': ['Group', 'Arn'] } }),
        Silent: role(),
        Group: group('/aws/lambda/writes'),
        Other: group('/aws/lambda/silent'),
        A: lambda('writes', 'Writes'),
        B: lambda('silent', 'Silent'),
      },
    },
    { Capabilities: ['CAPABILITY_IAM'] },
  );
  expect(deployed.status).toBe('CREATE_COMPLETE');
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const settings = { endpoint: local.stack.endpoint, region: 'us-east-1', credentials };
  const logs = new CloudWatchLogsClient(settings);
  const linesOf = async (FunctionName: string) => {
    const { Payload } = await new LambdaClient(settings).send(new InvokeCommand({ FunctionName }));
    expect(Payload?.transformToString()).toBe('1');
    const found = await logs.send(
      new FilterLogEventsCommand({ logGroupName: `/aws/lambda/${FunctionName}` }),
    );
    return found.events!.filter(({ message }) => message?.includes('hello')).length;
  };
  expect([await linesOf('writes'), await linesOf('silent')]).toEqual([1, 0]);
});
