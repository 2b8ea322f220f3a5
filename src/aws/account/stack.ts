import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStackResourcesCommand,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { required } from '../calls/answer.ts';
import { isNamed, withErrorNames } from '../calls/aws-error.ts';
import { named } from '../calls/named-calls.ts';

/** A deployment as CloudFormation describes it. */
export interface StackDescription {
  /** Status in CloudFormation's words: `CREATE_COMPLETE`, `UPDATE_ROLLBACK_COMPLETE`, … */
  readonly status: string;
  readonly createdAt: Date;
  readonly updatedAt: Date | undefined;
  readonly outputs: ReadonlyMap<string, string>;
  readonly parameters: ReadonlyMap<string, string>;
  readonly tags: ReadonlyMap<string, string>;
  /** Role that CloudFormation uses for all operations on the stack. */
  readonly serviceRole: string | undefined;
}

/** One resource of a stack. */
export interface StackResource {
  readonly logicalId: string;
  readonly physicalId: string;
  readonly type: string;
  readonly status: string;
}

/** A CloudFormation stack, or undefined if no stack has this name. */
export async function describeStack(stackName: string): Promise<StackDescription | undefined> {
  try {
    const answer = await withErrorNames(
      named(new CloudFormationClient()).send(new DescribeStacksCommand({ StackName: stackName })),
    );
    const stack = required(answer.Stacks?.[0], 'Stacks');
    return {
      status: required(stack.StackStatus, 'StackStatus'),
      createdAt: required(stack.CreationTime, 'CreationTime'),
      updatedAt: stack.LastUpdatedTime,
      outputs: new Map(
        (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
      ),
      parameters: new Map(
        (stack.Parameters ?? []).map(({ ParameterKey = '', ParameterValue = '' }) => [
          ParameterKey,
          ParameterValue,
        ]),
      ),
      tags: new Map((stack.Tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value])),
      serviceRole: stack.RoleARN,
    };
  } catch (error) {
    if (isNamed(error, 'ValidationError') && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

/** Names of the stacks of a stack on this machine; in AWS only the first page of them. */
export async function stackNames(): Promise<readonly string[]> {
  const { Stacks = [] } = await withErrorNames(
    new CloudFormationClient().send(new DescribeStacksCommand({})),
  );
  return Stacks.map(({ StackName }) => required(StackName, 'StackName'));
}

/** Every resource of a stack. */
export async function stackResources(stackName: string): Promise<readonly StackResource[]> {
  const client = named(new CloudFormationClient());
  const resources: StackResourceSummary[] = [];
  let NextToken: string | undefined;
  do {
    const page = await withErrorNames(
      client.send(new ListStackResourcesCommand({ StackName: stackName, NextToken })),
    );
    resources.push(...(page.StackResourceSummaries ?? []));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return resources.map((resource) => ({
    logicalId: required(resource.LogicalResourceId, 'LogicalResourceId'),
    physicalId: resource.PhysicalResourceId ?? '',
    type: required(resource.ResourceType, 'ResourceType'),
    status: required(resource.ResourceStatus, 'ResourceStatus'),
  }));
}
