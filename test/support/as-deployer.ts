import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { expect } from 'vitest';
import type { Stack } from '@inferdrop/laptop';
import type { Credentials } from './deploy-command.ts';

const POLICIES = path.resolve(import.meta.dirname, '..', '..', 'docs', 'policies');

/** Gives a role the deployer's policies of the docs for the stack's partition, and that of the removal, less one action, and acts as it. */
export function asDeployer(stack: Stack, without?: string): Promise<Credentials> {
  const folder = path.join(POLICIES, stack.site.partition);
  const policies = ['identity', 'services', 'removal'].map((name) =>
    JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')),
  );
  return asRole(stack, 'deployer', policies, without);
}

/** Gives a role policies, less one action, and acts as it. */
export async function asRole(
  stack: Stack,
  name: string,
  policies: readonly { Statement: { Action: string[] }[] }[],
  without?: string,
): Promise<Credentials> {
  const { account, partition, region } = stack.site;
  const less = (whole: { Statement: { Action: string[] }[] }) => ({
    ...whole,
    Statement: whole.Statement.map((statement) => ({
      ...statement,
      Action: statement.Action.filter((action) => action !== without),
    })).filter(({ Action }) => Action.length > 0),
  });
  const managed = policies.map(
    (one, index) =>
      [
        `Policy${index}`,
        { Type: 'AWS::IAM::ManagedPolicy', Properties: { PolicyDocument: less(one) } },
      ] as const,
  );
  const Resources = {
    ...Object.fromEntries(managed),
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        RoleName: name,
        ManagedPolicyArns: managed.map(([Ref]) => ({ Ref })),
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Principal: { AWS: account }, Action: 'sts:AssumeRole' }],
        },
      },
    },
  };
  const template = JSON.stringify({ Resources });
  await stack.deploy({ stackName: `people-${name}`, template, parameters: {} });
  const settings = { endpoint: stack.endpoint, region };
  const { AWS_ACCESS_KEY_ID: accessKeyId = 'test', AWS_SECRET_ACCESS_KEY: secretAccessKey = 'test' } =
    process.env;
  const credentials = { accessKeyId, secretAccessKey };
  const { Credentials: given } = await new STSClient({ ...settings, credentials }).send(
    new AssumeRoleCommand({
      RoleArn: `arn:${partition}:iam::${account}:role/${name}`,
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
  expect(identity.Arn).toBe(`arn:${partition}:sts::${account}:assumed-role/${name}/me`);
  return {
    AWS_ACCESS_KEY_ID: session.accessKeyId,
    AWS_SECRET_ACCESS_KEY: session.secretAccessKey,
    AWS_SESSION_TOKEN: session.sessionToken,
  };
}
