import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { packageApplication } from '../../scripts/package-application.ts';
import { objectArn } from '../../src/app/verify/role-calls/role-call.ts';
import { RECORDED, roleCalls } from '../../src/app/verify/role-calls/role-calls.ts';
import { UNREACHED } from '../../src/app/verify/role-calls/unreached.ts';
import { exampleOf, ROW_WRITERS } from '../support/layout-rows.ts';
import { idsOf } from '../support/role-call-recorder.ts';

let resources: Record<string, any>;
const asked = () =>
  roleCalls({
    name: 'inferdrop-dev',
    partition: 'aws',
    region: 'us-east-1',
    account: '000000000000',
    description: { parameters: new Map([['KmsKeyArn', 'arn:key']]) } as never,
    resources: Object.keys(resources).map((logicalId) => ({
      logicalId,
      physicalId: logicalId,
      type: '',
      status: '',
    })),
  });
beforeAll(async () => {
  const { template } = await packageApplication(path.resolve(import.meta.dirname, '..', '..'), 'dev');
  resources = JSON.parse(template).Resources;
});

it('verify asks about every role of the template, and about no other', () => {
  const roles = Object.keys(resources).filter((id) => resources[id].Type === 'AWS::IAM::Role');
  const roleIds = new Set(asked().map(({ role }) => role));
  expect([...roleIds].sort()).toEqual(roles.sort());
});

it('verify asks about every action of SageMaker, autoscaling and SNS that a role may do', () => {
  const pairs = new Set(asked().flatMap(({ role, actions }) => actions.map((one) => `${role} ${one}`)));
  const given = Object.entries(resources).flatMap(([id, { Type, Properties }]) =>
    Type !== 'AWS::IAM::Role'
      ? []
      : (Properties.Policies ?? [])
          .flatMap((policy: any) => policy.PolicyDocument.Statement)
          .flatMap((statement: any) => statement['Fn::If']?.slice(1, 2) ?? [statement])
          .flatMap(({ Action }: any) => [Action].flat().map((action: string) => `${id} ${action}`)),
  );
  const reported = given.filter((one) => / (sagemaker|application-autoscaling|sns):/.test(one));
  expect(reported.filter((one) => !pairs.has(one))).toEqual([]);
});

it('no call that a flow makes is typed as one that none reaches', () => {
  const recorded = new Set(RECORDED.flatMap(idsOf));
  expect(UNREACHED.flatMap(idsOf).filter((id) => recorded.has(id))).toEqual([]);
});

it('every writer of the layout was seen in a flow, or stands with a reason in unreached.ts; and nobody else', () => {
  const inLayout = ROW_WRITERS.map((one) => `${one.role} ${one.action} ${objectArn(exampleOf(one))}`);
  const known = [...RECORDED, ...UNREACHED].flatMap(({ role, actions, resource }) =>
    actions.map((action) => `${role} ${action} ${resource}`),
  );
  const writes = known.filter((one) => / s3:(PutObject|DeleteObject) /.test(one));
  expect(writes.filter((one) => !inLayout.includes(one))).toEqual([]);
  expect([...new Set(inLayout)].filter((one) => !writes.includes(one))).toEqual([]);
});
