import { HeadBucketCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalCloudFormation, startCloudFormation } from '../support/local-cloudformation.ts';

let local: LocalCloudFormation;
beforeAll(async () => void (local = await startCloudFormation()));
afterAll(() => local.close());

const bucket = (BucketName: string, rest = {}) => ({
  Resources: { Bucket: { Type: 'AWS::S3::Bucket', Properties: { BucketName }, ...rest } },
});
const isThere = (Bucket: string) =>
  local.s3.send(new HeadBucketCommand({ Bucket })).then(
    () => true,
    () => false,
  );
const UPDATE = { ChangeSetType: 'UPDATE' } as const;

test('a resource whose name changes is replaced', async () => {
  await local.deploy('replaced', bucket('old-name'));
  await local.deploy('replaced', bucket('new-name'), UPDATE);
  expect(await isThere('new-name')).toBe(true);
  expect(await isThere('old-name')).toBe(false);
  const { events, resources } = local.stack.find('replaced');
  expect(resources).toMatchObject([{ logicalId: 'Bucket', physicalId: 'new-name' }]);
  expect(events.slice(5).map(({ logicalId, status }) => `${logicalId} ${status}`)).toEqual([
    'replaced UPDATE_IN_PROGRESS',
    'Bucket UPDATE_IN_PROGRESS',
    'Bucket UPDATE_IN_PROGRESS',
    'Bucket UPDATE_COMPLETE',
    'replaced UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
    'Bucket DELETE_IN_PROGRESS',
    'Bucket DELETE_COMPLETE',
    'replaced UPDATE_COMPLETE',
  ]);
});

test('what is replaced stays where its policy says so', async () => {
  await local.deploy('kept', bucket('kept-old'));
  await local.deploy('kept', bucket('kept-new', { UpdateReplacePolicy: 'Retain' }), UPDATE);
  expect(await isThere('kept-old')).toBe(true);
  expect(await isThere('kept-new')).toBe(true);
});

test('a replacement is taken back with the update that fails', async () => {
  await local.deploy('taken-back', bucket('back-old'));
  const template = bucket('back-new');
  const Topic = { Type: 'AWS::SNS::Topic', DependsOn: 'Bucket', Properties: { FifoTopic: 'perhaps' } };
  const { status } = await local.deploy(
    'taken-back',
    { Resources: { ...template.Resources, Topic } },
    UPDATE,
  );
  expect(status).toBe('UPDATE_ROLLBACK_COMPLETE');
  expect(await isThere('back-new')).toBe(false);
  expect(await isThere('back-old')).toBe(true);
  expect(local.stack.find('taken-back').resources).toMatchObject([{ physicalId: 'back-old' }]);
  expect((await local.deploy('taken-back', bucket('back-next'), UPDATE)).status).toBe('UPDATE_COMPLETE');
  expect(await isThere('back-old')).toBe(false);
});

test('a named resource that must be replaced needs another name', async () => {
  const role = (Path: string) => ({
    Resources: {
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: {
          RoleName: 'named',
          Path,
          AssumeRolePolicyDocument: {
            Version: '2012-10-17',
            Statement: [
              { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
            ],
          },
        },
      },
    },
  });
  const Capabilities = ['CAPABILITY_NAMED_IAM' as const];
  await local.deploy('named', role('/'), { Capabilities });
  const { reasons } = await local.deploy('named', role('/team/'), { ...UPDATE, Capabilities });
  expect(reasons).toEqual([
    'CloudFormation cannot update a stack when a custom-named resource requires replacing. Rename named and update the stack again.',
  ]);
});
