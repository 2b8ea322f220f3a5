import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { expect, it } from 'vitest';
import { stackOf } from '../support/stack-of.ts';

it('shows parameters that were not given with their defaults', async () => {
  const stack = await stackOf(
    { Queue: { Type: 'AWS::SQS::Queue' } },
    { Rate: { Type: 'Number', Default: 200 }, Name: { Type: 'String', Default: '' } },
  );
  const cloudformation = new CloudFormationClient(stack.client);
  const { Stacks } = await cloudformation.send(new DescribeStacksCommand({ StackName: 's' }));
  expect(Stacks?.[0]?.Parameters).toEqual([
    { ParameterKey: 'Rate', ParameterValue: '200' },
    { ParameterKey: 'Name', ParameterValue: '' },
  ]);
  await stack.close();
});
