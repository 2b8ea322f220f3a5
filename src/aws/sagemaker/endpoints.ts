import {
  AddTagsCommand,
  CreateEndpointCommand,
  CreateEndpointConfigCommand,
  DeleteEndpointCommand,
  DeleteEndpointConfigCommand,
  type DeploymentConfig,
  DescribeEndpointCommand,
  type DescribeEndpointCommandOutput,
  DescribeEndpointConfigCommand,
  SageMakerClient,
  UpdateEndpointCommand,
} from '@aws-sdk/client-sagemaker';
import { required } from '../calls/answer.ts';
import { named } from '../calls/named-calls.ts';
import {
  type EndpointConfigDescription,
  type EndpointConfigSpec,
  toConfig,
  toVariant,
} from './endpoint-config.ts';
import { configNames, endpointNames, modelNames } from './resource-names.ts';
import {
  noResourceTags,
  readTags,
  request,
  type ResourceTags,
  type Tags,
  toTagList,
  unlessMissing,
} from './sagemaker-request.ts';

/** An endpoint as SageMaker describes it. */
export interface EndpointDescription {
  readonly name: string;
  readonly arn: string;
  /** Status in SageMaker's words: `InService`, `Creating`, `Updating`, … */
  readonly status: string;
  readonly configName: string;
  readonly failureReason?: string;
  /** The configuration to which an update has moved all traffic, while it keeps the old fleet and watches alarms. */
  readonly bakingConfigName?: string;
  readonly createdAt: Date;
  readonly variants: readonly { readonly name: string; readonly instances: number }[];
  /** Whether its models are inference components; not known before it is in service. */
  readonly hostsComponents?: boolean;
}

/** How an update shifts traffic. */
export interface UpdatePolicy {
  /** CloudWatch alarms that roll the update back. */
  readonly rollbackAlarms: readonly string[];
  /** Seconds for which the old fleet is kept next to the new one, which has all traffic; in these an alarm rolls back. */
  readonly bakeSeconds: number;
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
export function endpoints(resourceTags: ResourceTags = noResourceTags): Endpoints {
  const open = (): SageMakerClient => (client ??= named(new SageMakerClient()));
  return {
    describe: (name) =>
      unlessMissing(async () =>
        toDescription(name, await open().send(new DescribeEndpointCommand({ EndpointName: name }))),
      ),
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
            Tags: toTagList({ ...config.tags, ...resourceTags() }),
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
            Tags: toTagList({ ...tags, ...resourceTags() }),
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
    names: (containing) => endpointNames(open(), containing),
    configNames: (containing) => configNames(open(), containing),
    modelNames: (containing) => modelNames(open(), containing),
    async tag(arn, tags) {
      await request(open().send(new AddTagsCommand({ ResourceArn: arn, Tags: toTagList(tags) })));
    },
    tagsOf: (arn) => readTags(open(), arn),
  };
}

function toDescription(name: string, answer: DescribeEndpointCommandOutput): EndpointDescription {
  const { EndpointConfigName: bakingConfigName, ProductionVariants: coming = [] } =
    answer.PendingDeploymentSummary ?? {};
  const isBaking =
    coming.length > 0 &&
    coming.every(({ VariantStatus = [] }) => VariantStatus.some(({ Status }) => Status === 'Baking'));
  return {
    name,
    arn: required(answer.EndpointArn, 'EndpointArn'),
    status: required(answer.EndpointStatus, 'EndpointStatus'),
    // A failed creation has no configuration.
    configName: answer.EndpointConfigName ?? '',
    ...(answer.FailureReason !== undefined && { failureReason: answer.FailureReason }),
    ...(isBaking && bakingConfigName !== undefined && { bakingConfigName }),
    createdAt: required(answer.CreationTime, 'CreationTime'),
    variants: (answer.ProductionVariants ?? []).map(({ VariantName = '', CurrentInstanceCount = 0 }) => ({
      name: VariantName,
      instances: CurrentInstanceCount,
    })),
    ...((answer.ProductionVariants ?? []).some(
      ({ ManagedInstanceScaling }) => ManagedInstanceScaling !== undefined,
    ) && { hostsComponents: true }),
  };
}

/**
 * Time after which SageMaker gives an update up, besides its bake: both start-up time-outs that an endpoint may have
 * (`endpoint.modelDownloadTimeoutInSeconds` and `endpoint.containerStartupTimeoutInSeconds`, 3,600 each), and half an
 * hour for instances.
 */
const MAX_UPDATE_SECONDS = 9_000;

/**
 * Shifts all traffic at once to a fleet that has passed its pings, and keeps the old fleet for the bake: "Use all at once traffic
 * shifting" in the developer guide.
 */
function toDeployment({ rollbackAlarms, bakeSeconds }: UpdatePolicy): DeploymentConfig {
  return {
    BlueGreenUpdatePolicy: {
      TrafficRoutingConfiguration: { Type: 'ALL_AT_ONCE', WaitIntervalInSeconds: 0 },
      TerminationWaitInSeconds: bakeSeconds,
      MaximumExecutionTimeoutInSeconds: MAX_UPDATE_SECONDS + bakeSeconds,
    },
    ...(rollbackAlarms.length > 0 && {
      AutoRollbackConfiguration: { Alarms: rollbackAlarms.map((AlarmName) => ({ AlarmName })) },
    }),
  };
}
