import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { packageApplication } from '../../scripts/package-application.ts';
import { roleCalls } from '../../src/app/verify/role-calls.ts';

const facts = {
  partition: 'aws',
  region: 'us-east-1',
  account: '000000000000',
  stackName: 'inferdrop-dev',
  bucket: 'bucket',
  kmsKeyArn: 'arn:aws:kms:us-east-1:000000000000:key/1',
  modelRoleArn: 'arn:aws:iam::000000000000:role/model',
  trainingRoleArn: 'arn:aws:iam::000000000000:role/training',
  topicArn: 'arn:aws:sns:us-east-1:000000000000:inferdrop-dev',
};
let resources: Record<string, any>;
beforeAll(async () => {
  const { template } = await packageApplication(path.resolve(import.meta.dirname, '..', '..'), 'dev');
  resources = JSON.parse(template).Resources;
}, 120_000);

it('verify asks about every role of the template, and about no other', () => {
  const roles = Object.keys(resources).filter((id) => resources[id].Type === 'AWS::IAM::Role');
  const asked = new Set(roleCalls(facts).map(({ role }) => role));
  expect([...asked].sort()).toEqual(roles.sort());
});

it('verify asks about every action of SageMaker, autoscaling and SNS that a role may do', () => {
  const asked = new Set(
    roleCalls(facts).flatMap(({ role, actions }) => actions.map((one) => `${role} ${one}`)),
  );
  const given = Object.entries(resources).flatMap(([id, { Type, Properties }]) =>
    Type !== 'AWS::IAM::Role'
      ? []
      : (Properties.Policies ?? [])
          .flatMap((policy: any) => policy.PolicyDocument.Statement)
          .flatMap((statement: any) => statement['Fn::If']?.slice(1, 2) ?? [statement])
          .flatMap(({ Action }: any) => [Action].flat().map((action: string) => `${id} ${action}`)),
  );
  const reported = given.filter((one) => / (sagemaker|application-autoscaling|sns):/.test(one));
  expect(reported.filter((one) => !asked.has(one))).toEqual([]);
});
