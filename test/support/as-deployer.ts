import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { expect } from 'vitest';
import type { Stack } from '@inferdrop/laptop';
import type { Credentials } from './deploy-command.ts';

const DOCS = path.resolve(import.meta.dirname, '..', '..', 'docs');
const policy = (name: string) => JSON.parse(readFileSync(path.join(DOCS, name), 'utf8'));
const POLICY = policy('deployer-policy.json');
const REMOVAL_POLICY = policy('removal-policy.json');

/** Gives a role the two policies of the docs, less one action, and acts as it. */
export async function asDeployer(stack: Stack, without?: string): Promise<Credentials> {
  const less = (whole: { Statement: { Action: string[] }[] }) => ({
    ...whole,
    Statement: whole.Statement.map((statement) => ({
      ...statement,
      Action: statement.Action.filter((action) => action !== without),
    })).filter(({ Action }) => Action.length > 0),
  });
  const managed = (PolicyDocument: unknown) => ({
    Type: 'AWS::IAM::ManagedPolicy',
    Properties: { PolicyDocument },
  });
  const Resources = {
    Policy: managed(less(POLICY)),
    Removal: managed(less(REMOVAL_POLICY)),
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        RoleName: 'deployer',
        ManagedPolicyArns: [{ Ref: 'Policy' }, { Ref: 'Removal' }],
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Principal: { AWS: '000000000000' }, Action: 'sts:AssumeRole' }],
        },
      },
    },
  };
  await stack.deploy({ stackName: 'people', template: JSON.stringify({ Resources }), parameters: {} });
  const settings = { endpoint: stack.endpoint, region: 'us-east-1' };
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const { Credentials: given } = await new STSClient({ ...settings, credentials }).send(
    new AssumeRoleCommand({
      RoleArn: 'arn:aws:iam::000000000000:role/deployer',
      RoleSessionName: 'me',
    }),
  );
  const session = {
    accessKeyId: given!.AccessKeyId!,
    secretAccessKey: given!.SecretAccessKey!,
    sessionToken: given!.SessionToken!,
  };
  const identity = await new STSClient({ ...settings, credentials: session }).send(
    new GetCallerIdentityCommand(),
  );
  expect(identity.Arn).toBe('arn:aws:sts::000000000000:assumed-role/deployer/me');
  return {
    AWS_ACCESS_KEY_ID: session.accessKeyId,
    AWS_SECRET_ACCESS_KEY: session.secretAccessKey,
    AWS_SESSION_TOKEN: session.sessionToken,
  };
}
