import {
  CreateChangeSetCommand,
  DeleteChangeSetCommand,
  DeleteStackCommand,
  DescribeChangeSetCommand,
  DescribeStackEventsCommand,
  DescribeStackResourceCommand,
  DescribeStacksCommand,
  ExecuteChangeSetCommand,
  ListChangeSetsCommand,
  ListStackResourcesCommand,
  ListStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { ListBucketsCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalCloudFormation, startCloudFormation } from '../support/local-cloudformation.ts';

let local: LocalCloudFormation;
beforeAll(async () => void (local = await startCloudFormation()));
afterAll(() => local.close());

const QUEUE = { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: { Ref: 'Seconds' } } };
const TEMPLATE = {
  Parameters: { Seconds: { Type: 'Number', Default: 30 } },
  Resources: { Queue: QUEUE, Bucket: { Type: 'AWS::S3::Bucket', DeletionPolicy: 'Retain' } },
  Outputs: { Url: { Value: { Ref: 'Queue' }, Description: 'where to' } },
};

test('a stack is reviewed before it is made, and its life can be followed', async () => {
  const { client, review, deploy } = local;
  const { ChangeSetName, StackId } = await review('life', TEMPLATE, {
    ChangeSetName: 'changes',
    Tags: [{ Key: 'STAGE', Value: 'dev' }],
  });
  const described = await client.send(new DescribeChangeSetCommand({ ChangeSetName }));
  expect(described).toMatchObject({
    ChangeSetName: 'changes',
    StackName: 'life',
    Status: 'CREATE_COMPLETE',
    ExecutionStatus: 'AVAILABLE',
    Parameters: [{ ParameterKey: 'Seconds', ParameterValue: '30' }],
    Changes: [
      {
        Type: 'Resource',
        ResourceChange: { Action: 'Add', LogicalResourceId: 'Queue', ResourceType: 'AWS::SQS::Queue' },
      },
      { ResourceChange: { Action: 'Add', LogicalResourceId: 'Bucket' } },
    ],
  });
  const reviewed = await client.send(new DescribeStacksCommand({ StackName: 'life' }));
  expect(reviewed.Stacks).toMatchObject([{ StackStatus: 'REVIEW_IN_PROGRESS', Outputs: [] }]);
  expect(await local.s3.send(new ListBucketsCommand())).not.toHaveProperty('Buckets.0');

  await client.send(new ExecuteChangeSetCommand({ ChangeSetName: 'changes', StackName: 'life' }));
  const made = await local.ended(StackId);
  expect(made).toMatchObject({
    StackStatus: 'CREATE_COMPLETE',
    Tags: [{ Key: 'STAGE', Value: 'dev' }],
    Outputs: [{ OutputKey: 'Url', Description: 'where to' }],
    DriftInformation: { StackDriftStatus: 'NOT_CHECKED' },
    EnableTerminationProtection: false,
  });
  const { StackEvents = [] } = await client.send(new DescribeStackEventsCommand({ StackName: 'life' }));
  expect(StackEvents.map((event) => `${event.LogicalResourceId} ${event.ResourceStatus}`).reverse()).toEqual([
    'life CREATE_IN_PROGRESS',
    'Queue CREATE_IN_PROGRESS',
    'Queue CREATE_IN_PROGRESS',
    'Queue CREATE_COMPLETE',
    'Bucket CREATE_IN_PROGRESS',
    'Bucket CREATE_IN_PROGRESS',
    'Bucket CREATE_COMPLETE',
    'life CREATE_COMPLETE',
  ]);
  expect(new Set(StackEvents.map(({ EventId }) => EventId)).size).toBe(StackEvents.length);
  expect(StackEvents.at(-1)).toMatchObject({
    ResourceStatusReason: 'User Initiated',
    PhysicalResourceId: StackId,
  });

  const longer = await deploy('life', TEMPLATE, {
    ChangeSetType: 'UPDATE',
    ChangeSetName: 'longer',
    Parameters: [{ ParameterKey: 'Seconds', ParameterValue: '60' }],
  });
  expect(longer.status).toBe('UPDATE_COMPLETE');
  const { Changes } = await client.send(
    new DescribeChangeSetCommand({ ChangeSetName: 'longer', StackName: 'life' }),
  );
  expect(Changes).toMatchObject([
    {
      ResourceChange: {
        Action: 'Modify',
        LogicalResourceId: 'Queue',
        Replacement: 'False',
        Scope: ['Properties'],
        Details: [
          {
            Target: { Attribute: 'Properties', Name: 'VisibilityTimeout', RequiresRecreation: 'Never' },
            ChangeSource: 'ParameterReference',
          },
        ],
      },
    },
  ]);
  const { StackResourceDetail } = await client.send(
    new DescribeStackResourceCommand({ StackName: 'life', LogicalResourceId: 'Queue' }),
  );
  expect(StackResourceDetail).toMatchObject({
    PhysicalResourceId: made?.Outputs?.[0]?.OutputValue,
    ResourceStatus: 'UPDATE_COMPLETE',
  });
  const { StackResourceSummaries } = await client.send(new ListStackResourcesCommand({ StackName: 'life' }));
  expect(StackResourceSummaries).toHaveLength(2);

  await client.send(new DeleteStackCommand({ StackName: 'life' }));
  expect(await local.ended(StackId)).toMatchObject({ StackStatus: 'DELETE_COMPLETE' });
  await expect(client.send(new DescribeStacksCommand({ StackName: 'life' }))).rejects.toThrow(
    'Stack with id life does not exist',
  );
  const { StackSummaries } = await client.send(
    new ListStacksCommand({ StackStatusFilter: ['DELETE_COMPLETE'] }),
  );
  expect(StackSummaries).toMatchObject([{ StackId, StackName: 'life' }]);
  const last = await client.send(new DescribeStackEventsCommand({ StackName: StackId }));
  expect(
    last.StackEvents?.map((event) => `${event.LogicalResourceId} ${event.ResourceStatus}`).slice(0, 5),
  ).toEqual([
    'life DELETE_COMPLETE',
    'Queue DELETE_COMPLETE',
    'Queue DELETE_IN_PROGRESS',
    'Bucket DELETE_SKIPPED',
    'life DELETE_IN_PROGRESS',
  ]);
});

test('a change set without changes says so, and cannot be executed', async () => {
  const { client, review, deploy } = local;
  await deploy('same', TEMPLATE);
  const { ChangeSetName } = await review('same', TEMPLATE, {
    ChangeSetType: 'UPDATE',
    ChangeSetName: 'none',
  });
  expect(await client.send(new DescribeChangeSetCommand({ ChangeSetName }))).toMatchObject({
    Status: 'FAILED',
    StatusReason: expect.stringContaining("The submitted information didn't contain changes."),
    ExecutionStatus: 'UNAVAILABLE',
    Changes: [],
  });
  await expect(client.send(new ExecuteChangeSetCommand({ ChangeSetName }))).rejects.toMatchObject({
    name: 'InvalidChangeSetStatusException',
    message: `ChangeSet [${ChangeSetName}] cannot be executed in its current status of [FAILED]`,
  });
  await client.send(new DeleteChangeSetCommand({ ChangeSetName }));
  await client.send(new DeleteChangeSetCommand({ ChangeSetName: 'none', StackName: 'same' }));
  await expect(client.send(new DescribeChangeSetCommand({ ChangeSetName }))).rejects.toMatchObject({
    name: 'ChangeSetNotFoundException',
  });
});

test('an update may keep the template and the values of parameters', async () => {
  const { review, deploy, stack } = local;
  const Parameters = [{ ParameterKey: 'Seconds', ParameterValue: '45' }];
  await deploy('keeps', TEMPLATE, { Parameters });
  const kept = [{ ParameterKey: 'Seconds', UsePreviousValue: true }];
  const { ChangeSetName } = await review('keeps', TEMPLATE, {
    ChangeSetType: 'UPDATE',
    TemplateBody: undefined,
    UsePreviousTemplate: true,
    Parameters: kept,
  });
  expect(await local.client.send(new DescribeChangeSetCommand({ ChangeSetName }))).toMatchObject({
    Status: 'FAILED',
    Parameters,
  });
  expect(stack.find('keeps').parameters['Seconds']).toBe('45');
});

test('outputs alone are a change', async () => {
  const { deploy, stack } = local;
  await deploy('outputs', TEMPLATE);
  const Outputs = { ...TEMPLATE.Outputs, Again: { Value: { 'Fn::GetAtt': ['Queue', 'Arn'] } } };
  const { status } = await deploy('outputs', { ...TEMPLATE, Outputs }, { ChangeSetType: 'UPDATE' });
  expect(status).toBe('UPDATE_COMPLETE');
  expect(stack.find('outputs').outputs.map(({ key }) => key)).toEqual(['Url', 'Again']);
});

test('the other change sets of a stack go when one is executed', async () => {
  const { client, review, deploy } = local;
  await review('several', TEMPLATE, { ChangeSetName: 'one' });
  await deploy('several', TEMPLATE, { ChangeSetName: 'two' });
  const { Summaries } = await client.send(new ListChangeSetsCommand({ StackName: 'several' }));
  expect(Summaries).toMatchObject([{ ChangeSetName: 'two', ExecutionStatus: 'EXECUTE_COMPLETE' }]);
});

test('a stack that was only reviewed leaves no trace', async () => {
  const { client, review } = local;
  await review('reviewed', TEMPLATE);
  await client.send(new DeleteStackCommand({ StackName: 'reviewed' }));
  await expect(client.send(new DescribeStacksCommand({ StackName: 'reviewed' }))).rejects.toThrow();
});

test.each([
  ['UPDATE', 'absent', 'Stack [absent] does not exist'],
  [
    'CREATE',
    'present',
    'Stack [present] already exists and cannot be created again with the changeSet [again].',
  ],
] as const)('a change set of type %s for a stack that is %s', async (ChangeSetType, StackName, message) => {
  const { client, deploy } = local;
  if (StackName === 'present') await deploy('present', TEMPLATE);
  const TemplateBody = JSON.stringify(TEMPLATE);
  const request = new CreateChangeSetCommand({
    StackName,
    ChangeSetName: 'again',
    ChangeSetType,
    TemplateBody,
  });
  await expect(client.send(request)).rejects.toMatchObject({ name: 'ValidationError', message });
});
