import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GetBucketLifecycleConfigurationCommand, ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stack } from '../../local/stack.ts';
import { startStack } from '../../local/stack.ts';
import { runDeployCommand } from '../support/deploy-command.ts';

let dir: string;
let stack: Stack;
let s3: S3Client;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'deploy-'));
  stack = await startStack({ port: 0, dir, credentials: { test: 'test' } });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  s3 = new S3Client({ endpoint: stack.endpoint, region: 'us-east-1', credentials, forcePathStyle: true });
});
afterAll(async () => {
  await stack.close();
  await rm(dir, { recursive: true, force: true });
});

const run = (command: 'deploy' | 'remove', ...options: string[]) =>
  runDeployCommand(stack, command, ...options);

test('deploy, nothing changed, a changed parameter, remove', async () => {
  const first = await run('deploy', '--stage', 'day-one');
  expect(first.said).toContain('Service deployed to stack inferdrop-day-one');
  expect(first.code).toBe(0);
  expect(stack.find('inferdrop-day-one').status).toBe('UPDATE_COMPLETE');

  const unchanged = await run('deploy', '--stage', 'day-one');
  expect(unchanged.said).toContain('No changes to deploy');
  expect(unchanged.code).toBe(0);

  const refused = await run('deploy', '--stage', 'day-one', '--param', 'runsRetentionDays=0');
  expect(refused.said).toContain("Parameter 'RunsRetentionDays' must be a number not less than 1");
  expect(refused.code).not.toBe(0);

  const second = await run('deploy', '--stage', 'day-one', '--param', 'runsRetentionDays=30');
  expect(second.said).toContain('Service deployed to stack inferdrop-day-one');
  const { resources, events, parameters } = stack.find('inferdrop-day-one');
  expect(parameters['RunsRetentionDays']).toBe('30');
  const Bucket = resources.find(({ logicalId }) => logicalId === 'Bucket')?.physicalId;
  const { Rules = [] } = await s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
  expect(Rules.find(({ ID }) => ID === 'runs')?.Expiration?.Days).toBe(30);
  const last = events.slice(events.findLastIndex(({ reason }) => reason === 'User Initiated'));
  // Beside the functions, whose code lies elsewhere now, only the bucket has changed.
  expect(new Set(last.map(({ type }) => type))).toEqual(
    new Set(['AWS::CloudFormation::Stack', 'AWS::S3::Bucket', 'AWS::Lambda::Function']),
  );

  const removed = await run('remove', '--stage', 'day-one');
  expect(removed.said).toContain('successfully removed');
  expect(stack.statusOf('inferdrop-day-one')).toBeUndefined();
  const { Buckets } = await s3.send(new ListBucketsCommand());
  expect(Buckets?.map(({ Name }) => Name)).toEqual([Bucket]);
}, 300_000);
