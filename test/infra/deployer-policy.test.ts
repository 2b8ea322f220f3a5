import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { decider } from '../../packages/laptop/iam/decide.ts';
import { parsePolicy } from '../../packages/laptop/iam/policy-document.ts';
import { deployerPolicies } from '../../scripts/deployer-policy.ts';
import { PARTITIONS, policies } from '../../scripts/policies.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const FOLDER = path.join(ROOT, 'docs', 'policies');
const kept = (name: string) => JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8'));
/** IAM takes 6,144 characters without white space; the rest is for the next release's actions. */
const MAX_CHARACTERS = 5_500;

describe('docs/policies', () => {
  let made: ReadonlyMap<string, string>;
  beforeAll(async () => void (made = await policies(ROOT)));

  it('are what deploying and removing ask for: npm run generate', () => {
    for (const [name, text] of made) expect(kept(name), name).toEqual(JSON.parse(text));
    expect(globSync('*/*.json', { cwd: FOLDER }).sort()).toEqual([...made.keys()].sort());
  });

  it('leave room for what the next release needs', () => {
    for (const name of made.keys())
      expect(JSON.stringify(kept(name)).length, name).toBeLessThanOrEqual(MAX_CHARACTERS);
  });
});

it.each(PARTITIONS)('%s: a policy has the ARNs and the names of its partition alone', (partition) => {
  for (const file of globSync(`${partition}/*.json`, { cwd: FOLDER })) {
    const text = readFileSync(path.join(FOLDER, file), 'utf8');
    for (const [, named] of text.matchAll(/arn:([a-z-]+):/g)) expect(named, file).toBe(partition);
    for (const [name] of text.matchAll(/"s3\.\*\.[^"]+"/g))
      expect(name, file).toBe(partition === 'aws-cn' ? '"s3.*.amazonaws.com.cn"' : '"s3.*.amazonaws.com"');
  }
});

it('makers of roles and keys can be others than makers of the rest', () => {
  const asks = (name: string, action: string, resource: string) =>
    decider([parsePolicy(name, kept(`aws-cn/${name}.json`))])({ action, resource, context: {} });
  const role = 'arn:aws-cn:iam::111111111111:role/inferdrop-prod-x';
  const bucket = 'arn:aws-cn:s3:::inferdrop-prod-bucket';
  expect(asks('identity', 'iam:CreateRole', role)).toBe('allowed');
  expect(asks('identity', 's3:CreateBucket', bucket)).toBe('implicit-deny');
  expect(asks('services', 's3:CreateBucket', bucket)).toBe('allowed');
  expect(asks('services', 'iam:CreateRole', role)).toBe('implicit-deny');
  expect(asks('services', 'iam:PassRole', role)).toBe('implicit-deny');
});

it('an action that only a property asks for is in it with the property alone', () => {
  const actions = (Properties: Record<string, unknown>) =>
    deployerPolicies([
      { Resources: { F: { Type: 'AWS::Lambda::Function', Properties } } },
    ]).services.Statement.flatMap(({ Action }) => Action);
  expect(actions({})).not.toContain('lambda:PutFunctionConcurrency');
  expect(actions({ ReservedConcurrentExecutions: 1 })).toContain('lambda:PutFunctionConcurrency');
  expect(() => actions({ VpcConfig: {} })).toThrow('ec2:DescribeNetworkInterfaces');
});

it('keys are changed through CloudFormation alone, since they have no names by which to tell them from others', () => {
  const { Statement } = deployerPolicies([{ Resources: { Key: { Type: 'AWS::KMS::Key' } } }]).identity;
  const keys = Statement.filter(({ Action }) => Action.includes('kms:ScheduleKeyDeletion'));
  expect(keys).toMatchObject([
    {
      Condition: { 'ForAnyValue:StringEquals': { 'aws:CalledVia': ['cloudformation.amazonaws.com'] } },
    },
  ]);
});
