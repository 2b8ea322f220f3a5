import {
  CreateModelCommand,
  CreateTransformJobCommand,
  type CreateTransformJobCommandInput,
  DescribeTransformJobCommand,
  SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { createContainerHost } from '@inferdrop/model-container/container-host';
import type { BusEvent } from '../../kernel/ports.ts';
import type { SageMakerOptions } from '../../sagemaker/sagemaker-options.ts';
import { createSageMaker } from '../../sagemaker/service.ts';
import { fakeContainers } from '../support/fake-container.ts';
import { localGateway } from '../support/local-gateway.ts';
import { manualClock } from '../support/manual-clock.ts';
import { memoryObjects } from '../support/memory-objects.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export const IMAGE = '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-cpu';
export const ROLE = 'arn:aws:iam::000000000000:role/sagemaker';

/** SageMaker on a free port with objects, events and logs in memory. */
export async function localSageMaker(
  options: Partial<Omit<SageMakerOptions, 'site' | 'clock' | 'objects' | 'bus' | 'logs' | 'metrics'>> = {},
) {
  const clock = manualClock();
  const objects = memoryObjects(['bucket', 'other']);
  const events: BusEvent[] = [];
  const logLines: string[] = [];
  const measured: (readonly [string, string, Readonly<Record<string, number>>])[] = [];
  const dir = options.dir ?? temporaryFolder('sagemaker-');
  const engineModule = new URL('../../../model-container/test/support/fake-engine.ts', import.meta.url).href;
  const made: ReturnType<typeof createSageMaker>[] = [];
  const gateway = await localGateway((site) => {
    const sagemaker = createSageMaker({
      startContainer: createContainerHost({ engineModule }),
      ...options,
      dir,
      site,
      clock,
      objects,
      bus: { put: (event) => void events.push(event) },
      logs: { write: (_group, stream, message) => void logLines.push(`${stream}: ${message}`) },
      metrics: {
        put: (namespace, dimensions, values) =>
          void measured.push([namespace, Object.entries(dimensions).join(), values]),
      },
    });
    made.push(sagemaker);
    return [sagemaker.service];
  });
  return {
    client: new SageMakerClient(gateway.client),
    clock,
    objects,
    events,
    logLines,
    measured,
    dir,
    idle: () => made[0]!.idle(),
    close: () => gateway.close(),
  };
}

/** A job on `s3://bucket/in/` with `changes` over it. */
export function jobInput(
  name: string,
  changes: Partial<CreateTransformJobCommandInput> = {},
): CreateTransformJobCommandInput {
  return {
    TransformJobName: name,
    ModelName: 'model',
    MaxConcurrentTransforms: 4,
    MaxPayloadInMB: 6,
    BatchStrategy: 'SingleRecord',
    ModelClientConfig: { InvocationsTimeoutInSeconds: 60, InvocationsMaxRetries: 0 },
    TransformInput: {
      DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://bucket/in/' } },
      ContentType: 'application/x-image',
    },
    TransformOutput: { S3OutputPath: 's3://bucket/out', Accept: 'application/json' },
    TransformResources: { InstanceType: 'ml.g4dn.xlarge', InstanceCount: 1 },
    ...changes,
  };
}

/** A stack whose model `model` runs in containers that answer as the test says. */
export async function localTransforms(
  answer: Parameters<typeof fakeContainers>[0],
  options: {
    environment?: Record<string, string>;
    get?: Parameters<typeof fakeContainers>[1];
  } & Parameters<typeof localSageMaker>[0] = {},
) {
  const { environment, get, ...rest } = options;
  const containers = fakeContainers(answer, get);
  const stack = await localSageMaker({ ...rest, startContainer: containers.start });
  const PrimaryContainer = { Image: IMAGE, ...(environment ? { Environment: environment } : {}) };
  await stack.client.send(
    new CreateModelCommand({ ModelName: 'model', PrimaryContainer, ExecutionRoleArn: ROLE }),
  );
  return {
    ...stack,
    ...containers,
    /** Runs a job to its end and describes it. */
    async run(name: string, changes: Partial<CreateTransformJobCommandInput> = {}) {
      await stack.client.send(new CreateTransformJobCommand(jobInput(name, changes)));
      await stack.idle();
      return stack.client.send(new DescribeTransformJobCommand({ TransformJobName: name }));
    },
  };
}
