import {
  CloudFormationClient,
  GetTemplateSummaryCommand,
  type GetTemplateSummaryCommandInput,
  ListExportsCommand,
} from '@aws-sdk/client-cloudformation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stackOf } from '../support/stack-of.ts';

let stack: Awaited<ReturnType<typeof stackOf>>;
let cloudformation: CloudFormationClient;
beforeAll(async () => {
  stack = await stackOf(
    { Queue: { Type: 'AWS::SQS::Queue' }, Other: { Type: 'AWS::SQS::Queue' } },
    {
      Stage: { Type: 'String', Default: 'dev', AllowedValues: ['dev', 'prod'] },
      Rate: { Type: 'Number', Default: 2 },
    },
  );
  cloudformation = new CloudFormationClient(stack.client);
});
afterAll(() => stack.close());

test('what the template of a stack declares', async () => {
  const summary = await cloudformation.send(new GetTemplateSummaryCommand({ StackName: 's' }));
  expect(summary.Parameters).toEqual([
    {
      ParameterKey: 'Stage',
      ParameterType: 'String',
      DefaultValue: 'dev',
      NoEcho: false,
      ParameterConstraints: { AllowedValues: ['dev', 'prod'] },
    },
    {
      ParameterKey: 'Rate',
      ParameterType: 'Number',
      DefaultValue: '2',
      NoEcho: false,
      ParameterConstraints: {},
    },
  ]);
  expect(summary.ResourceTypes).toEqual(['AWS::SQS::Queue']);
  expect(summary.ResourceIdentifierSummaries).toEqual([
    {
      ResourceType: 'AWS::SQS::Queue',
      LogicalResourceIds: ['Queue', 'Other'],
      ResourceIdentifiers: ['QueueUrl'],
    },
  ]);
});

test('what a template in the request declares', async () => {
  const role = { Type: 'AWS::IAM::Role', Properties: {} };
  const TemplateBody = JSON.stringify({ Metadata: { by: 'hand' }, Resources: { Role: role } });
  const summary = await cloudformation.send(new GetTemplateSummaryCommand({ TemplateBody }));
  expect(summary).toMatchObject({
    Parameters: [],
    Capabilities: ['CAPABILITY_IAM'],
    Metadata: '{"by":"hand"}',
  });
});

test('one place of a template, and one that is there', async () => {
  const refused = (input: GetTemplateSummaryCommandInput) =>
    expect(cloudformation.send(new GetTemplateSummaryCommand(input))).rejects;
  await refused({ StackName: 's', TemplateBody: '{}' }).toThrow('Only one of StackName');
  await refused({ StackName: 'none' }).toThrow('Stack with id none does not exist');
  await refused({}).toThrow('Either Template URL or Template Body must be specified.');
  await refused({ StackSetName: 'set' }).toThrow('StackSetName');
});

test('nothing is exported by a stack whose outputs have no export', async () => {
  expect(await cloudformation.send(new ListExportsCommand({}))).toMatchObject({ Exports: [] });
});
