import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  GetBucketLifecycleConfigurationCommand,
  GetObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalStack, localStack } from '../../packages/laptop/test/support/local-stack.ts';
import { packageApplication } from '../../scripts/package-application.ts';
import { deployPackage } from '../../src/cli/laptop/laptop-stack.ts';
import { runDeployCommand, takeDeploymentTurn } from '../support/deploy-command.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

let stack: LocalStack;
let s3: S3Client;
let endTurn: () => Promise<void>;
beforeAll(async () => void (endTurn = await takeDeploymentTurn()), 1_800_000);
afterAll(() => endTurn());
beforeAll(async () => {
  stack = await localStack();
  s3 = new S3Client({ ...stack.client, forcePathStyle: true });
});
afterAll(() => stack.close());

/** Bundles the functions, as a user's deployment does. */
const run = (command: 'deploy' | 'remove', ...options: string[]) =>
  runDeployCommand({ endpoint: stack.endpoint, bundles: null }, command, ...options);
/** The bundles of the deployment before. */
const BUNDLED = path.join('build', 'functions');

/** The bills of materials in the deployment bucket of a stack, each beside the functions' code. */
async function billsOf(stackName: string): Promise<string[]> {
  const { outputs } = stack.find(stackName);
  const Bucket = outputs.find(({ key }) => key === 'ServerlessDeploymentBucketName')?.value;
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  const keys = Contents.map(({ Key = '' }) => Key);
  const bills = keys.filter((key) => key.endsWith('.cdx.json'));
  for (const key of bills) expect(keys).toContain(`${path.posix.dirname(key)}/plan-run.zip`);
  return Promise.all(
    bills.map(async (Key) =>
      (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body!.transformToString(),
    ),
  );
}

test('deploy, nothing changed, a changed parameter, remove', async () => {
  const misspelt = await run('deploy', '--stage', 'day-one', '--param', 'noncurrentRetentionDay=60');
  expect(misspelt.said).toContain('did you mean noncurrentRetentionDays?');
  expect(misspelt.code).not.toBe(0);
  expect(stack.statusOf('inferdrop-day-one')).toBeUndefined();

  const first = await run('deploy', '--stage', 'day-one', '--param', 'noncurrentRetentionDays=60');
  expect(first.said).toContain('Account 000000000000, region us-east-1');
  expect(first.said).toContain('Service deployed to stack inferdrop-day-one');
  const { outputs } = stack.find('inferdrop-day-one');
  for (const name of ['BucketName', 'ApiUrl'])
    expect(first.said).toContain(outputs.find(({ key }) => key === name)!.value);
  expect(first.said).toContain('inferdrop pipeline put my-pipeline --stage day-one');
  expect(first.code).toBe(0);
  expect(stack.find('inferdrop-day-one').status).toBe('UPDATE_COMPLETE');

  const bill = await billsOf('inferdrop-day-one');
  expect(bill).toEqual([readFileSync(path.join(ROOT, 'build', 'functions', 'sbom.cdx.json'), 'utf8')]);
  expect(JSON.parse(bill[0]!).components.map(({ name }: { name: string }) => name)).toContain('zod');

  const unchanged = await run('deploy', '--stage', 'day-one');
  expect(unchanged.said).toContain('No changes to deploy');
  expect(unchanged.code).toBe(0);

  const refused = await run('deploy', '--stage', 'day-one', '--param', 'runsRetentionDays=0');
  expect(refused.said).toContain("runsRetentionDays must be at least 1, is '0'");
  expect(refused.code).not.toBe(0);

  const changed = ['--stage', 'day-one', '--param', 'runsRetentionDays=30'];
  const second = await runDeployCommand({ endpoint: stack.endpoint, bundles: BUNDLED }, 'deploy', ...changed);
  expect(second.said).toContain('runsRetentionDays: 365 → 30: S3 deletes');
  expect(second.said).toContain('Kept as deployed: noncurrentRetentionDays 60');
  expect(second.said).toContain('Service deployed to stack inferdrop-day-one');
  const { resources, events, parameters } = stack.find('inferdrop-day-one');
  expect(parameters).toMatchObject({ RunsRetentionDays: '30', NoncurrentRetentionDays: '60' });
  const Bucket = resources.find(({ logicalId }) => logicalId === 'Bucket')?.physicalId;
  const { Rules = [] } = await s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
  expect(Rules.find(({ ID }) => ID === 'runs')?.Expiration?.Days).toBe(30);
  const last = events.slice(events.findLastIndex(({ reason }) => reason === 'User Initiated'));
  // Beside the functions, whose code lies elsewhere now, only the bucket has changed.
  expect(new Set(last.map(({ type }) => type))).toEqual(
    new Set(['AWS::CloudFormation::Stack', 'AWS::S3::Bucket', 'AWS::Lambda::Function']),
  );

  expect(new Set(await billsOf('inferdrop-day-one'))).toEqual(new Set(bill));

  const removed = await run('remove', '--stage', 'day-one');
  expect(removed.said).toContain('successfully removed');
  expect(removed.said).toContain(`Kept: s3://${Bucket} with all its objects`);
  expect(stack.statusOf('inferdrop-day-one')).toBeUndefined();
  const { Buckets } = await s3.send(new ListBucketsCommand());
  expect(Buckets?.map(({ Name }) => Name)).toEqual([Bucket]);
});

test('the stack on this machine has the bill of materials of its package, too', async () => {
  const packaged = await packageApplication(ROOT, 'dev');
  await deployPackage(stack, 'bill', packaged);
  expect(await billsOf('inferdrop-bill')).toEqual([packaged.billOfMaterials]);
});
