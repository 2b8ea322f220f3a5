import {
  CloudFormationClient,
  CreateChangeSetCommand,
  DeleteStackCommand,
  UpdateStackCommand,
} from '@aws-sdk/client-cloudformation';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalCloudFormation, startCloudFormation } from '../support/local-cloudformation.ts';

const ARN = 'arn:aws:iam::000000000000:role/';
const TEMPLATE = { Resources: { Queue: { Type: 'AWS::SQS::Queue' } } };

/** A role with the rights of a service or of people. */
const role = (RoleName: string, Principal: object, Action: readonly string[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    RoleName,
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal, Action: 'sts:AssumeRole' }],
    },
    Policies: [
      {
        PolicyName: 'all',
        PolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource: '*' }] },
      },
    ],
  },
});
const SERVICE = { Service: 'cloudformation.amazonaws.com' };

let local: LocalCloudFormation;
beforeAll(async () => {
  local = await startCloudFormation();
  const Resources = {
    Maker: role('maker', SERVICE, ['sqs:*']),
    Idler: role('idler', SERVICE, ['s3:*']),
    Person: role('person', { AWS: '000000000000' }, ['cloudformation:*']),
    Other: role('other', { Service: 'lambda.amazonaws.com' }, ['sqs:*']),
  };
  await local.stack.deploy({
    stackName: 'roles',
    template: JSON.stringify({ Resources }),
    parameters: {},
  });
});
afterAll(() => local.close());

test('a stack keeps its service role, and is updated and deleted with its rights', async () => {
  expect(await local.deploy('made', TEMPLATE, { RoleARN: `${ARN}maker` })).toEqual({
    status: 'CREATE_COMPLETE',
    reasons: [],
  });
  const more = { Resources: { ...TEMPLATE.Resources, Second: { Type: 'AWS::SNS::Topic' } } };
  const { status, reasons } = await local.deploy('made', more, { ChangeSetType: 'UPDATE' });
  expect(status).toBe('UPDATE_ROLLBACK_COMPLETE');
  expect(reasons.join()).toMatch(/assumed-role\/maker\/AWSCloudFormation is not authorized to perform: sns:/);
  expect(await local.ended('made')).toMatchObject({ RoleARN: `${ARN}maker` });
  await local.client.send(new DeleteStackCommand({ StackName: 'made' }));
  await expect(local.ended('made')).rejects.toThrow('does not exist');
});

test('the rights of the role count, not the caller’s', async () => {
  const { status, reasons } = await local.deploy('idle', TEMPLATE, { RoleARN: `${ARN}idler` });
  expect(status).toBe('ROLLBACK_COMPLETE');
  expect(reasons.join()).toContain('not authorized to perform: sqs:');
});

test('a role that does not trust CloudFormation is refused at once', async () => {
  await expect(local.review('refused', TEMPLATE, { RoleARN: `${ARN}other` })).rejects.toThrow(
    `Role ${ARN}other is invalid or cannot be assumed`,
  );
});

test('who names a service role needs iam:PassRole on it, and who names none needs no rights of its own', async () => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const settings = { endpoint: local.stack.endpoint, region: local.stack.site.region, maxAttempts: 1 };
  const { Credentials } = await new STSClient({ ...settings, credentials }).send(
    new AssumeRoleCommand({ RoleArn: `${ARN}person`, RoleSessionName: 'me' }),
  );
  const client = new CloudFormationClient({
    ...settings,
    credentials: {
      accessKeyId: Credentials!.AccessKeyId!,
      secretAccessKey: Credentials!.SecretAccessKey!,
      sessionToken: Credentials!.SessionToken!,
    },
  });
  const request = { ChangeSetName: 'mine', TemplateBody: JSON.stringify(TEMPLATE) };
  const create = new CreateChangeSetCommand({
    ...request,
    StackName: 'theirs',
    ChangeSetType: 'CREATE',
    RoleARN: `${ARN}maker`,
  });
  await expect(client.send(create)).rejects.toThrow(
    `not authorized to perform: iam:PassRole on resource: ${ARN}maker`,
  );
  await local.deploy('kept', TEMPLATE, { RoleARN: `${ARN}maker` });
  const changed = { Resources: { Queue: { ...TEMPLATE.Resources.Queue, Properties: { DelaySeconds: 1 } } } };
  await client.send(new UpdateStackCommand({ StackName: 'kept', TemplateBody: JSON.stringify(changed) }));
  expect((await local.ended('kept')).StackStatus).toBe('UPDATE_COMPLETE');
});
