import {
  CreateEndpointCommand,
  CreateEndpointConfigCommand,
  type CreateEndpointConfigCommandInput,
  CreateModelCommand,
  DescribeEndpointCommand,
  type DescribeEndpointCommandOutput,
  SageMakerClient,
  UpdateEndpointCommand,
  type UpdateEndpointCommandInput,
} from '@aws-sdk/client-sagemaker';
import {
  InvokeEndpointCommand,
  type InvokeEndpointCommandInput,
  SageMakerRuntimeClient,
} from '@aws-sdk/client-sagemaker-runtime';
import type { Clock } from '../../../kernel/clock.ts';
import type { AlarmStates, BusEvent, MetricWriter } from '../../../kernel/ports.ts';
import type { Service, Site } from '../../../kernel/service.ts';
import type { Components } from '../../../sagemaker/component/components.ts';
import type { SageMakerOptions } from '../../../sagemaker/sagemaker-options.ts';
import { createSageMaker, type SageMaker } from '../../../sagemaker/service.ts';
import { createSageMakerRuntime } from '../../../sagemaker-runtime/service.ts';
import { fakeContainers } from '../../support/fake-container.ts';
import { localGateway } from '../../support/local-gateway.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { memoryObjects } from '../../support/memory-objects.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { IMAGE, ROLE } from '../local-sagemaker.ts';

interface Options extends Partial<
  Pick<
    SageMakerOptions,
    | 'dir'
    | 'startContainer'
    | 'legacyElasticInference'
    | 'limits'
    | 'longestUpdateWaitSeconds'
    | 'random'
    | 'serverlessIdleMs'
  >
> {
  readonly answer?: Parameters<typeof fakeContainers>[0];
  readonly get?: Parameters<typeof fakeContainers>[1];
  readonly alarms?: AlarmStates;
  /** Services beside these; metrics of invocations go to them, too. */
  readonly beside?: (parts: { site: Site; clock: Clock; dir: string; components: Components }) => {
    services: Service[];
    metrics: MetricWriter;
  };
}

/** SageMaker and its runtime on a free port; containers answer as the test says, by default with their own number. */
export async function localEndpoints(options: Options = {}) {
  const clock = manualClock();
  const containers = fakeContainers(options.answer ?? (({ container }) => String(container)), options.get);
  const objects = memoryObjects(['bucket']);
  const events: BusEvent[] = [];
  const logLines: string[] = [];
  const measured: {
    dimensions: Readonly<Record<string, string>>;
    values: Readonly<Record<string, number>>;
  }[] = [];
  const dir = options.dir ?? temporaryFolder('endpoints-');
  let sagemaker: SageMaker | undefined;
  const gateway = await localGateway((site) => {
    sagemaker = createSageMaker({
      metrics: { put: () => undefined },
      startContainer: containers.start,
      ...options,
      dir,
      site,
      clock,
      objects,
      bus: { put: (event) => void events.push(event) },
      logs: { write: (group, stream, message) => void logLines.push(`${group} ${stream}: ${message}`) },
    });
    const beside = options.beside?.({ site, clock, dir, components: sagemaker.components });
    const metrics: MetricWriter = {
      put(namespace, dimensions, values) {
        measured.push({ dimensions, values });
        beside?.metrics.put(namespace, dimensions, values);
      },
    };
    const runtime = createSageMakerRuntime({
      site,
      route: sagemaker.route,
      components: sagemaker.components,
      metrics,
    });
    return [runtime.service, sagemaker.service, ...(beside?.services ?? [])];
  });
  const client = new SageMakerClient(gateway.client);
  const runtime = new SageMakerRuntimeClient(gateway.client);
  const idle = (): Promise<void> => sagemaker!.idle();

  const makeModel = (ModelName: string, container: Record<string, unknown> = {}) =>
    client.send(
      new CreateModelCommand({
        ModelName,
        PrimaryContainer: { Image: IMAGE, ...container },
        ExecutionRoleArn: ROLE,
      }),
    );
  const makeConfig = (
    EndpointConfigName: string,
    variant: Partial<NonNullable<CreateEndpointConfigCommandInput['ProductionVariants']>[number]> = {},
  ) =>
    client.send(
      new CreateEndpointConfigCommand({
        EndpointConfigName,
        ProductionVariants: [
          {
            VariantName: 'AllTraffic',
            ModelName: 'model',
            ...(variant.ServerlessConfig ? {} : { InstanceType: 'ml.m5.xlarge', InitialInstanceCount: 1 }),
            ...variant,
          },
        ],
      }),
    );
  const describe = (EndpointName = 'endpoint'): Promise<DescribeEndpointCommandOutput> =>
    client.send(new DescribeEndpointCommand({ EndpointName }));
  return {
    ...containers,
    client,
    runtime,
    endpoint: gateway.endpoint,
    clientOptions: gateway.client,
    clock,
    objects,
    events,
    logLines,
    measured,
    dir,
    idle,
    makeModel,
    makeConfig,
    describe,
    /** Asks for an endpoint and does not wait for it. */
    create: (EndpointConfigName: string, EndpointName = 'endpoint') =>
      client.send(new CreateEndpointCommand({ EndpointName, EndpointConfigName })),
    /** A model, a configuration and an endpoint in service, of one variant by default. */
    async deploy(variant: Parameters<typeof makeConfig>[1] = {}) {
      await makeModel('model');
      await makeConfig('config', variant);
      await client.send(
        new CreateEndpointCommand({ EndpointName: 'endpoint', EndpointConfigName: 'config' }),
      );
      await idle();
      return describe();
    },
    /** Updates the endpoint and waits for its end. */
    async update(EndpointConfigName: string, more: Partial<UpdateEndpointCommandInput> = {}) {
      await client.send(new UpdateEndpointCommand({ EndpointName: 'endpoint', EndpointConfigName, ...more }));
      await idle();
      return describe();
    },
    async invoke(Body: string | Uint8Array = '{}', more: Partial<InvokeEndpointCommandInput> = {}) {
      const output = await runtime.send(
        new InvokeEndpointCommand({
          EndpointName: 'endpoint',
          ContentType: 'application/json',
          Body: typeof Body === 'string' ? Buffer.from(Body) : Body,
          ...more,
        }),
      );
      return { ...output, text: Buffer.from(output.Body).toString() };
    },
    /** Moves the clock second by second until something is so. */
    async advanceUntil(isSo: () => boolean | Promise<boolean>) {
      await until(async () => {
        if (await isSo()) return true;
        await clock.advance(1000);
        return false;
      });
    },
    close: () => gateway.close(),
  };
}

export type LocalEndpoints = Awaited<ReturnType<typeof localEndpoints>>;
