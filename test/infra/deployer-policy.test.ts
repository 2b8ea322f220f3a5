import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { deployerPolicy } from '../../scripts/deployer-policy.ts';
import { packageApplication } from '../../scripts/package-application.ts';
import { removalPolicy } from '../../scripts/removal-policy.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/** IAM's quota for a managed policy, in characters without white space. */
const MAX_CHARACTERS = 6144;

it('docs/deployer-policy.json is what deploying asks for: node scripts/write-deployer-policy.ts', async () => {
  const { bucketTemplate, template } = await packageApplication(ROOT, 'dev');
  const policy = deployerPolicy([JSON.parse(bucketTemplate), JSON.parse(template)]);
  const kept = JSON.parse(readFileSync(path.join(ROOT, 'docs', 'deployer-policy.json'), 'utf8'));
  expect(kept).toEqual(policy);
  expect(JSON.stringify(policy).length).toBeLessThanOrEqual(MAX_CHARACTERS);
});

it('docs/removal-policy.json is what the removal calls: node scripts/write-deployer-policy.ts', () => {
  const kept = JSON.parse(readFileSync(path.join(ROOT, 'docs', 'removal-policy.json'), 'utf8'));
  expect(kept).toEqual(removalPolicy());
});

it('an action that only a property asks for is in it with the property alone', () => {
  const actions = (Properties: Record<string, unknown>) =>
    deployerPolicy([{ Resources: { F: { Type: 'AWS::Lambda::Function', Properties } } }]).Statement.flatMap(
      ({ Action }) => Action,
    );
  expect(actions({})).not.toContain('lambda:PutFunctionConcurrency');
  expect(actions({ ReservedConcurrentExecutions: 1 })).toContain('lambda:PutFunctionConcurrency');
  expect(() => actions({ VpcConfig: {} })).toThrow('ec2:DescribeNetworkInterfaces');
});

it('keys are changed through CloudFormation alone, since they have no names by which to tell them from others', () => {
  const { Statement } = deployerPolicy([{ Resources: { Key: { Type: 'AWS::KMS::Key' } } }]);
  const keys = Statement.filter(({ Action }) => Action.includes('kms:ScheduleKeyDeletion'));
  expect(keys).toMatchObject([
    {
      Condition: { 'ForAnyValue:StringEquals': { 'aws:CalledVia': ['cloudformation.amazonaws.com'] } },
    },
  ]);
});
