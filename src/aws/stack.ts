import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { isNamed, withErrorNames } from './aws-error.ts';

/** Outputs of a CloudFormation stack by name, or undefined where there is no such stack. */
export async function stackOutputs(stackName: string): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const answer = await withErrorNames(
      new CloudFormationClient().send(new DescribeStacksCommand({ StackName: stackName })),
    );
    const outputs = answer.Stacks?.[0]?.Outputs ?? [];
    return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (error) {
    if (isNamed(error, 'ValidationError') && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}
