import {
  AddTagsCommand,
  CreateEndpointCommand,
  CreateEndpointConfigCommand,
  DeleteEndpointCommand,
  DeleteEndpointConfigCommand,
  type DeploymentConfig,
  DescribeEndpointCommand,
  DescribeEndpointConfigCommand,
  type DescribeEndpointConfigCommandOutput,
  ListEndpointConfigsCommand,
  ListEndpointsCommand,
  ListModelsCommand,
  ListTagsCommand,
  type ProductionVariant,
  type ProductionVariantAcceleratorType,
  type ProductionVariantInferenceAmiVersion,
  type ProductionVariantInstanceType,
  SageMakerClient,
  UpdateEndpointCommand,
} from '@aws-sdk/client-sagemaker';
import { required } from './answer.ts';
import { request, type Tags, toTagList, unlessMissing } from './sagemaker-request.ts';

/** The one production variant of a configuration. */
interface VariantSpec {
  readonly variantName: string;
  readonly modelName: string;
  readonly hardware:
    | {
        readonly kind: 'instance';
        readonly instanceType: string;
        readonly initialInstanceCount: number;
        readonly acceleratorType: string | null;
        /** Left out where SageMaker chooses. */
        readonly amiVersion?: string;
      }
    | { readonly kind: 'serverless'; readonly memorySizeInMB: number; readonly maxConcurrency: number };
}

export interface EndpointConfigSpec extends VariantSpec {
  readonly name: string;
  readonly kmsKeyArn: string | null;
  readonly tags: Tags;
}

interface EndpointConfigDescription {
  readonly name: string;
  readonly arn: string;
  readonly kmsKeyArn: string | null;
  readonly variants: readonly VariantSpec[];
}

export interface EndpointDescription {
  readonly name: string;
  readonly arn: string;
  /** As SageMaker names it: `InService`, `Creating`, `Updating`, … */
  readonly status: string;
  readonly configName: string;
  readonly failureReason?: string;
  readonly createdAt: Date;
  readonly variants: readonly { readonly name: string; readonly instances: number }[];
}

/** How an update shifts traffic. */
export interface UpdatePolicy {
  /** CloudWatch alarms that roll the update back. */
  readonly rollbackAlarms: readonly string[];
  /** False for endpoints that AWS's deployment guardrails exclude: those with an accelerator, and serverless ones. */
  readonly guardrails: boolean;
}

/**
 * Real-time endpoints and their configurations, with the errors of `SageMaker` in sagemaker.ts: a missing resource is
 * `undefined`, and deleting a missing one succeeds.
 */
export interface Endpoints {
  describe(name: string): Promise<EndpointDescription | undefined>;
  describeConfig(name: string): Promise<EndpointConfigDescription | undefined>;
  /** @throws `ResourceInUse` if the name is taken */
  createConfig(config: EndpointConfigSpec): Promise<void>;
  /** @throws `ResourceInUse` if the name is taken; `ResourceLimitExceeded` */
  create(endpoint: {
    readonly name: string;
    readonly configName: string;
    readonly tags: Tags;
  }): Promise<void>;
  update(name: string, configName: string, policy: UpdatePolicy): Promise<void>;
  delete(name: string): Promise<void>;
  deleteConfig(name: string): Promise<void>;
  /** Names of endpoints that contain a text; all names where none is given. */
  names(containing?: string): AsyncIterable<string>;
  configNames(containing?: string): AsyncIterable<string>;
  modelNames(containing: string): AsyncIterable<string>;
  tag(arn: string, tags: Tags): Promise<void>;
  tagsOf(arn: string): Promise<Tags>;
}

let client: SageMakerClient | undefined;

/** Endpoints of the account and region that the environment names; the client is built on first use. */
export function endpoints(): Endpoints {
  const open = (): SageMakerClient => (client ??= new SageMakerClient());
  return {
    describe: (name) =>
      unlessMissing(async () => {
        const answer = await open().send(new DescribeEndpointCommand({ EndpointName: name }));
        return {
          name,
          arn: required(answer.EndpointArn, 'EndpointArn'),
          status: required(answer.EndpointStatus, 'EndpointStatus'),
          // A failed creation has no configuration.
          configName: answer.EndpointConfigName ?? '',
          ...(answer.FailureReason !== undefined && { failureReason: answer.FailureReason }),
          createdAt: required(answer.CreationTime, 'CreationTime'),
          variants: (answer.ProductionVariants ?? []).map(
            ({ VariantName = '', CurrentInstanceCount = 0 }) => ({
              name: VariantName,
              instances: CurrentInstanceCount,
            }),
          ),
        };
      }),
    describeConfig: (name) =>
      unlessMissing(async () =>
        toConfig(name, await open().send(new DescribeEndpointConfigCommand({ EndpointConfigName: name }))),
      ),
    async createConfig(config) {
      await request(
        open().send(
          new CreateEndpointConfigCommand({
            EndpointConfigName: config.name,
            ProductionVariants: [toVariant(config)],
            ...(config.kmsKeyArn !== null && { KmsKeyId: config.kmsKeyArn }),
            Tags: toTagList(config.tags),
          }),
        ),
      );
    },
    async create({ name, configName, tags }) {
      await request(
        open().send(
          new CreateEndpointCommand({
            EndpointName: name,
            EndpointConfigName: configName,
            Tags: toTagList(tags),
          }),
        ),
      );
    },
    async update(name, configName, policy) {
      await request(
        open().send(
          new UpdateEndpointCommand({
            EndpointName: name,
            EndpointConfigName: configName,
            ...(policy.guardrails && { DeploymentConfig: toDeployment(policy) }),
          }),
        ),
      );
    },
    async delete(name) {
      await unlessMissing(() => open().send(new DeleteEndpointCommand({ EndpointName: name })));
    },
    async deleteConfig(name) {
      await unlessMissing(() => open().send(new DeleteEndpointConfigCommand({ EndpointConfigName: name })));
    },
    names: (NameContains) =>
      pages(async (NextToken) => {
        const page = await request(open().send(new ListEndpointsCommand({ NameContains, NextToken })));
        return { names: (page.Endpoints ?? []).map((one) => one.EndpointName), next: page.NextToken };
      }),
    configNames: (NameContains) =>
      pages(async (NextToken) => {
        const page = await request(open().send(new ListEndpointConfigsCommand({ NameContains, NextToken })));
        return {
          names: (page.EndpointConfigs ?? []).map((one) => one.EndpointConfigName),
          next: page.NextToken,
        };
      }),
    modelNames: (NameContains) =>
      pages(async (NextToken) => {
        const page = await request(open().send(new ListModelsCommand({ NameContains, NextToken })));
        return { names: (page.Models ?? []).map((one) => one.ModelName), next: page.NextToken };
      }),
    async tag(arn, tags) {
      await request(open().send(new AddTagsCommand({ ResourceArn: arn, Tags: toTagList(tags) })));
    },
    async tagsOf(arn) {
      const tags: Record<string, string> = {};
      let NextToken: string | undefined;
      do {
        const page = await request(open().send(new ListTagsCommand({ ResourceArn: arn, NextToken })));
        for (const { Key, Value } of page.Tags ?? []) tags[required(Key, 'Tags.Key')] = Value ?? '';
        NextToken = page.NextToken;
      } while (NextToken !== undefined);
      return tags;
    },
  };
}

interface Page {
  readonly names: readonly (string | undefined)[];
  readonly next: string | undefined;
}

async function* pages(read: (token: string | undefined) => Promise<Page>): AsyncGenerator<string> {
  let token: string | undefined;
  do {
    const page = await read(token);
    for (const name of page.names) yield required(name, 'Name');
    token = page.next;
  } while (token !== undefined);
}

function toVariant({ variantName, modelName, hardware }: VariantSpec): ProductionVariant {
  const base = { VariantName: variantName, ModelName: modelName };
  if (hardware.kind === 'serverless') {
    const { memorySizeInMB, maxConcurrency } = hardware;
    return { ...base, ServerlessConfig: { MemorySizeInMB: memorySizeInMB, MaxConcurrency: maxConcurrency } };
  }
  return {
    ...base,
    // The SDK knows the types of its own release only; SageMaker decides, and names what it does not take.
    // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
    InstanceType: hardware.instanceType as ProductionVariantInstanceType,
    InitialInstanceCount: hardware.initialInstanceCount,
    InitialVariantWeight: 1,
    ...(hardware.amiVersion !== undefined && {
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
      InferenceAmiVersion: hardware.amiVersion as ProductionVariantInferenceAmiVersion,
    }),
    ...(hardware.acceleratorType !== null && {
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
      AcceleratorType: hardware.acceleratorType as ProductionVariantAcceleratorType,
    }),
  };
}

/** Shifts all traffic at once to a fleet that has passed its pings; the old fleet serves until then. */
function toDeployment({ rollbackAlarms }: UpdatePolicy): DeploymentConfig {
  return {
    BlueGreenUpdatePolicy: {
      TrafficRoutingConfiguration: { Type: 'ALL_AT_ONCE', WaitIntervalInSeconds: 0 },
      TerminationWaitInSeconds: 0,
      MaximumExecutionTimeoutInSeconds: 3600,
    },
    ...(rollbackAlarms.length > 0 && {
      AutoRollbackConfiguration: { Alarms: rollbackAlarms.map((AlarmName) => ({ AlarmName })) },
    }),
  };
}

function toConfig(name: string, answer: DescribeEndpointConfigCommandOutput): EndpointConfigDescription {
  return {
    name,
    arn: required(answer.EndpointConfigArn, 'EndpointConfigArn'),
    kmsKeyArn: answer.KmsKeyId ?? null,
    variants: (answer.ProductionVariants ?? []).map((variant) => ({
      variantName: variant.VariantName ?? '',
      modelName: variant.ModelName ?? '',
      hardware:
        variant.ServerlessConfig === undefined
          ? {
              kind: 'instance',
              instanceType: variant.InstanceType ?? '',
              initialInstanceCount: variant.InitialInstanceCount ?? 0,
              acceleratorType: variant.AcceleratorType ?? null,
              ...(variant.InferenceAmiVersion !== undefined && { amiVersion: variant.InferenceAmiVersion }),
            }
          : {
              kind: 'serverless',
              memorySizeInMB: variant.ServerlessConfig.MemorySizeInMB ?? 0,
              maxConcurrency: variant.ServerlessConfig.MaxConcurrency ?? 0,
            },
    })),
  };
}
