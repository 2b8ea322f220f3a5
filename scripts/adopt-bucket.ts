import { setTimeout as wait } from 'node:timers/promises';
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { type ServerlessOptions, type ServerlessTools, useSettings } from './serverless-plugin.ts';

const TYPE = 'AWS::S3::Bucket';
const CHANGE_SET = 'adopt-bucket';
const OPTION = 'bucketName=';
const LOOK_EVERY_MS = Number(process.env.SLS_AWS_MONITORING_FREQUENCY ?? 2000);

/**
 * Lets a new stack take over an existing bucket, such as the one that a removed stack has left: where `--param bucketName=…`
 * names such a bucket, the stack is created by importing it. The import does not change the bucket, and the import's template has
 * nothing else, so the deployment that follows applies the template's whole configuration.
 */
export default class AdoptBucket {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;

  constructor(serverless: ServerlessTools, options: ServerlessOptions) {
    this.hooks = {
      'before:aws:deploy:deploy:createStack': async () => {
        const provider = serverless.getProvider('aws');
        useSettings(provider, options);
        const given = options.param?.find((one) => one.startsWith(OPTION));
        if (given === undefined) return;
        try {
          await adopt(provider.naming.getStackName(), given.slice(OPTION.length), options['cfn-role']);
        } catch (error) {
          throw new serverless.classes.Error(error instanceof Error ? error.message : String(error));
        }
      },
    };
  }
}

async function adopt(stackName: string, bucket: string, role: string | undefined): Promise<void> {
  const { describeStack } = await import('../src/aws/account/stack.ts');
  if (bucket === '' || (await describeStack(stackName)) !== undefined || !(await isThere(bucket))) return;
  process.stderr.write(`Taking the bucket ${bucket} into the new stack ${stackName}\n`);
  await importBucket(stackName, bucket, role);
}

/** @throws {Error} for a bucket of another account */
async function isThere(bucket: string): Promise<boolean> {
  const { HeadBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  try {
    await new S3Client().send(new HeadBucketCommand({ Bucket: bucket }));
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'NotFound') return false;
    const why = error instanceof Error ? error.name : String(error);
    throw new Error(
      `bucketName: ${bucket} must be a free name, or a bucket that you may use; S3 says ${why}`,
      { cause: error },
    );
  }
}

async function importBucket(StackName: string, bucket: string, RoleARN: string | undefined): Promise<void> {
  const { CloudFormationClient, CreateChangeSetCommand, DeleteStackCommand, ExecuteChangeSetCommand } =
    await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient();
  const Properties = { BucketName: bucket };
  await client.send(
    new CreateChangeSetCommand({
      StackName,
      ChangeSetName: CHANGE_SET,
      ChangeSetType: 'IMPORT',
      RoleARN,
      ResourcesToImport: [
        { ResourceType: TYPE, LogicalResourceId: 'Bucket', ResourceIdentifier: { BucketName: bucket } },
      ],
      TemplateBody: JSON.stringify({
        Resources: { Bucket: { Type: TYPE, DeletionPolicy: 'Retain', Properties } },
      }),
    }),
  );
  try {
    await untilReviewed(client, StackName);
  } catch (error) {
    // A stack in the state REVIEW_IN_PROGRESS would block the next deployment.
    await client.send(new DeleteStackCommand({ StackName }));
    throw error;
  }
  await client.send(new ExecuteChangeSetCommand({ StackName, ChangeSetName: CHANGE_SET }));
  await untilImported(client, StackName, bucket);
}

async function untilReviewed(client: CloudFormationClient, StackName: string): Promise<void> {
  const { DescribeChangeSetCommand } = await import('@aws-sdk/client-cloudformation');
  for (;;) {
    const request = new DescribeChangeSetCommand({ StackName, ChangeSetName: CHANGE_SET });
    const { Status, StatusReason } = await client.send(request);
    if (Status === 'CREATE_COMPLETE') return;
    if (Status === 'FAILED') throw new Error(`the bucket cannot be imported: ${StatusReason}`);
    await wait(LOOK_EVERY_MS);
  }
}

async function untilImported(client: CloudFormationClient, StackName: string, bucket: string): Promise<void> {
  const { DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  for (;;) {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
    const { StackStatus = '', StackStatusReason } = Stacks?.[0] ?? {};
    if (StackStatus === 'IMPORT_COMPLETE') return;
    if (!StackStatus.endsWith('_IN_PROGRESS'))
      throw new Error(
        `${bucket} was not imported: stack ${StackName} is ${StackStatus}, ${StackStatusReason ?? 'see its events'}`,
      );
    await wait(LOOK_EVERY_MS);
  }
}
