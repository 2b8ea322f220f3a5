import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stack } from '../../local/stack.ts';
import { startStack } from '../../local/stack.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const DEPLOYER = 'arn:aws:iam::000000000000:role/deployer';
const policy = (name: string) => JSON.parse(readFileSync(path.join(ROOT, 'docs', name), 'utf8'));
const POLICY = policy('deployer-policy.json');
const REMOVAL_POLICY = policy('removal-policy.json');

let dir: string;
let stack: Stack;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'deployer-'));
  stack = await startStack({ port: 0, dir, credentials: { test: 'test' } });
});
afterAll(async () => {
  await stack.close();
  await rm(dir, { recursive: true, force: true });
});

/** Gives the deployer the two policies of the docs, the first less one action, and acts as it. */
async function deployer(without?: string) {
  const Statement = POLICY.Statement.map((statement: { Action: string[] }) => ({
    ...statement,
    Action: statement.Action.filter((action) => action !== without),
  })).filter(({ Action }: { Action: string[] }) => Action.length > 0);
  const Resources = {
    Policy: {
      Type: 'AWS::IAM::ManagedPolicy',
      Properties: { PolicyDocument: { ...POLICY, Statement } },
    },
    Removal: { Type: 'AWS::IAM::ManagedPolicy', Properties: { PolicyDocument: REMOVAL_POLICY } },
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
  const template = JSON.stringify({ Resources });
  await stack.deploy({ stackName: 'people', template, parameters: {} });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const settings = { endpoint: stack.endpoint, region: 'us-east-1' };
  const { Credentials: given } = await new STSClient({ ...settings, credentials }).send(
    new AssumeRoleCommand({ RoleArn: DEPLOYER, RoleSessionName: 'me' }),
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
  return session;
}

async function run(
  command: 'deploy' | 'remove',
  { accessKeyId, secretAccessKey, sessionToken }: Awaited<ReturnType<typeof deployer>>,
  ...options: string[]
) {
  const child = spawn(process.execPath, ['scripts/deploy.mjs', command, ...options], {
    cwd: ROOT,
    env: {
      ...process.env,
      AWS_ENDPOINT_URL: stack.endpoint,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
      SLS_AWS_MONITORING_FREQUENCY: '50',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said] = await Promise.all([
    Promise.all([text(child.stdout), text(child.stderr)]),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, said: said.join('') };
}

test('who has the policy of the docs deploys, changes a parameter and removes', async () => {
  const session = await deployer();
  const first = await run('deploy', session, '--stage', 'trial');
  expect(first.said).toContain('Service deployed to stack inferdrop-trial');
  const second = await run('deploy', session, '--stage', 'trial', '--param', 'runsRetentionDays=30');
  expect(second.said).toContain('Service deployed to stack inferdrop-trial');
  const removed = await run('remove', session, '--stage', 'trial');
  expect(removed.said).toContain('successfully removed');
  expect(stack.statusOf('inferdrop-trial')).toBeUndefined();
}, 300_000);

test.each([
  ['one', 'cloudformation:CreateChangeSet'],
  ['two', 's3:PutBucketPublicAccessBlock'],
  ['three', 'iam:PassRole'],
])(
  'stage %s: without %s nothing is deployed',
  async (stage, action) => {
    const { code, said } = await run('deploy', await deployer(action), '--stage', stage);
    expect(said).toContain(`not authorized to perform: ${action}`);
    expect(code).not.toBe(0);
  },
  300_000,
);
