import {
  CloudFormationClient,
  CreateChangeSetCommand,
  type CreateChangeSetCommandInput,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  ExecuteChangeSetCommand,
  type Stack as DescribedStack,
} from '@aws-sdk/client-cloudformation';
import { S3Client } from '@aws-sdk/client-s3';
import type { Stack } from '@inferdrop/laptop';
import { localStack } from './local-stack.ts';
import { until } from './until.ts';

/** The whole stack on this machine with a client of its CloudFormation. */
export interface LocalCloudFormation {
  readonly stack: Stack;
  readonly client: CloudFormationClient;
  readonly s3: S3Client;
  /** A change set of resources; its type is CREATE by default. */
  review(
    StackName: string,
    template: object,
    rest?: Partial<CreateChangeSetCommandInput>,
  ): Promise<{ readonly ChangeSetName: string; readonly StackId: string }>;
  /** Reviews and executes, and waits for the end; its status and why. */
  deploy(
    StackName: string,
    template: object,
    rest?: Partial<CreateChangeSetCommandInput>,
  ): Promise<{ readonly status: string | undefined; readonly reasons: string[] }>;
  /** The stack, as soon as nothing is being done with it. */
  ended(StackName: string): Promise<DescribedStack>;
  close(): Promise<void>;
}

export async function startCloudFormation(): Promise<LocalCloudFormation> {
  const stack = await localStack();
  const client = new CloudFormationClient(stack.client);
  let count = 0;
  const review: LocalCloudFormation['review'] = async (StackName, template, rest = {}) => {
    const { Id = '', StackId = '' } = await client.send(
      new CreateChangeSetCommand({
        StackName,
        ChangeSetName: `changes-${(count += 1)}`,
        ChangeSetType: 'CREATE',
        TemplateBody: JSON.stringify(template),
        ...rest,
      }),
    );
    return { ChangeSetName: Id, StackId };
  };
  const ended: LocalCloudFormation['ended'] = async (StackName) => {
    let found: DescribedStack | undefined;
    await until(async () => {
      [found] = (await client.send(new DescribeStacksCommand({ StackName }))).Stacks ?? [];
      return !found?.StackStatus?.endsWith('_IN_PROGRESS');
    });
    return found!;
  };
  return {
    stack,
    client,
    ended,
    s3: new S3Client({ ...stack.client, forcePathStyle: true }),
    review,
    async deploy(stackName, template, rest) {
      const { ChangeSetName, StackId } = await review(stackName, template, rest);
      await client.send(new ExecuteChangeSetCommand({ ChangeSetName }));
      const { StackStatus } = await ended(StackId);
      const { StackEvents = [] } = await client.send(new DescribeStackEventsCommand({ StackName: StackId }));
      const reasons = StackEvents.filter(({ ResourceStatus }) => ResourceStatus?.endsWith('_FAILED')).map(
        ({ ResourceStatusReason = '' }) => ResourceStatusReason,
      );
      return { status: StackStatus, reasons };
    },
    close: stack.close,
  };
}
