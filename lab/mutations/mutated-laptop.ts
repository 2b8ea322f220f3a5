import {
  type Capability,
  CloudFormationClient,
  CreateChangeSetCommand,
  ExecuteChangeSetCommand,
} from '@aws-sdk/client-cloudformation';
import { vi } from 'vitest';
import { type Laptop, startLaptop } from '../../test/support/laptop.ts';
import type { Mistake } from './mistake.ts';

const STACK = 'inferdrop-dev';
const AGREED: readonly Capability[] = ['CAPABILITY_IAM'];

/** The packaged application on the laptop stack, and ways to deploy it with a mistake in it. */
export interface MutatedLaptop {
  readonly laptop: Laptop;
  /** Deploys by a change set, as `npm run deploy` does; why it was refused or failed, or undefined if it succeeded. */
  deploy(mistake: Pick<Mistake, 'make' | 'request'>): Promise<string | undefined>;
  /**
   * Uploads a drop, and waits until its execution has ended or IAM has refused what `says` matches: all lines.
   */
  run(
    pipeline: string,
    drop: string,
    files: Readonly<Record<string, Uint8Array>>,
    says: Mistake['says'],
  ): Promise<string>;
  /** Makes the deployment what it was. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function startMutatedLaptop(): Promise<MutatedLaptop> {
  // What IAM refuses is written there: a rule that is not let in has nothing else to tell it.
  const refused: string[] = [];
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    refused.push(String(line));
    return true;
  });
  const laptop = await startLaptop();
  const { stack } = laptop;
  const { template, parameters, outputs } = stack.find(STACK);
  const bucket = outputs.find(({ key }) => key === 'ServerlessDeploymentBucketName')!.value;
  const client = new CloudFormationClient();
  let count = 0;
  return {
    laptop,
    async deploy({ make, request: { capabilities = AGREED, parameters: given = {} } = {} }) {
      const mutated = JSON.parse(template);
      make(mutated);
      const key = `mutated/${(count += 1)}.json`;
      await stack.objects.write(bucket, key, Buffer.from(JSON.stringify(mutated)));
      const before = stack.find(STACK).events.length;
      try {
        const { Id } = await client.send(
          new CreateChangeSetCommand({
            StackName: STACK,
            ChangeSetName: `mutation-${count}`,
            ChangeSetType: 'UPDATE',
            TemplateURL: `${stack.endpoint}/${bucket}/${key}`,
            Capabilities: [...capabilities],
            Parameters: Object.entries({ ...parameters, ...given }).map(([ParameterKey, ParameterValue]) => ({
              ParameterKey,
              ParameterValue,
            })),
          }),
        );
        await client.send(new ExecuteChangeSetCommand({ ChangeSetName: Id }));
      } catch (error) {
        return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      }
      const { status, events } = await laptop.until(() => {
        const found = stack.find(STACK);
        return found.status.endsWith('_IN_PROGRESS') ? undefined : found;
      });
      if (status === 'UPDATE_COMPLETE') return undefined;
      const failed = events.slice(before).filter((event) => event.status.endsWith('_FAILED'));
      return failed.map(({ reason }) => reason).join('\n') || status;
    },
    async run(pipeline, drop, files, says) {
      refused.length = 0;
      const executions = laptop.application.executions('inference');
      await laptop.upload(pipeline, drop, files);
      const arn = laptop.executionArn(`${pipeline}/${drop}/000001`);
      const said = await laptop.until(async () => {
        const execution = await executions.describe(arn);
        const text = [...refused, execution?.error ?? '', execution?.cause ?? ''].join(' ');
        const isEnded = execution !== undefined && execution.status !== 'RUNNING';
        return isEnded || text.search(says) >= 0 ? text : undefined;
      });
      if (await executions.describe(arn)) await executions.stop(arn, { error: 'Mutation', cause: 'seen' });
      return said;
    },
    async restore() {
      await stack.deploy({ stackName: STACK, template, parameters });
    },
    async close() {
      stderr.mockRestore();
      await laptop.close();
    },
  };
}
