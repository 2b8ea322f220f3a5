import {
  CreateEndpointConfigCommand,
  CreateInferenceComponentCommand,
  DeleteInferenceComponentCommand,
  DescribeInferenceComponentCommand,
  ListInferenceComponentsCommand,
  SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import type { EndpointHardware } from '../../endpoints/kind.ts';
import { familyOf, gpusOf } from '../../model/instance-families.ts';
import { coresOf } from '../../model/instance-type.ts';
import type { StackSettings } from '../../run/stack-settings.ts';
import { required } from '../calls/answer.ts';
import { named } from '../calls/named-calls.ts';
import { HOST_VARIANT, toHostVariant } from './endpoint-config.ts';
import {
  noResourceTags,
  request,
  type ResourceTags,
  type Tags,
  toTagList,
  unlessMissing,
} from './sagemaker-request.ts';

/** A configuration with an endpoint that hosts inference components. */
interface HostSpec {
  readonly name: string;
  readonly roleArn: string;
  readonly vpc: StackSettings['vpc'];
  readonly networkIsolation: boolean;
  readonly hardware: EndpointHardware<'scaleToZero'>;
  readonly kmsKeyArn: string | null;
  readonly tags: Tags;
}

/** A model on an endpoint that hosts inference components. */
export interface ComponentSpec {
  readonly name: string;
  readonly endpointName: string;
  readonly modelName: string;
  readonly hardware: EndpointHardware<'scaleToZero'>;
  readonly tags: Tags;
}

/** An inference component as SageMaker describes it. */
interface ComponentDescription {
  readonly name: string;
  readonly status: string;
  readonly failureReason?: string;
  /** Copies in service. */
  readonly copies: number;
}

/** Inference components, with the errors of `SageMaker` in sagemaker.ts: a missing one is `undefined`. */
export interface InferenceComponents {
  /** @throws `ResourceInUse` if the name is taken */
  createHostConfig(config: HostSpec): Promise<void>;
  /** Brings up one copy. @throws `ResourceInUse` if the name is taken */
  create(component: ComponentSpec): Promise<void>;
  describe(name: string): Promise<ComponentDescription | undefined>;
  /** Names of the components of an endpoint. */
  namesOn(endpointName: string): Promise<readonly string[]>;
  /** SageMaker refuses it while the component is on its way to another status. Deleting a missing one succeeds. */
  delete(name: string): Promise<void>;
}

/**
 * Memory that a copy reserves. It is for the placement of copies and no cap, and the share of an instance that can be
 * reserved is far smaller than its memory: users report that ml.g5.xlarge, of 16 GiB, takes 1,024 MB and refuses 4,096.
 * UNCONFIRMED for other types.
 */
const RESERVED_MB = 1024;

/**
 * A copy reserves so much that SageMaker places no second one next to it: two on one instance share its processors, and
 * nothing gets faster.
 * UNCONFIRMED is what SageMaker keeps for itself, so one core stays free, or half a core of two.
 */
function reserved(instanceType: string) {
  const cores = coresOf(instanceType);
  return familyOf(instanceType).processor === 'cpu'
    ? { NumberOfCpuCoresRequired: cores > 2 ? cores - 1 : 0.75 * cores }
    : { NumberOfAcceleratorDevicesRequired: gpusOf(instanceType) };
}

let client: SageMakerClient | undefined;

/** Inference components of the account and region that the environment names; the client is built on first use. */
export function inferenceComponents(resourceTags: ResourceTags = noResourceTags): InferenceComponents {
  const open = (): SageMakerClient => (client ??= named(new SageMakerClient()));
  return {
    async createHostConfig({ name, roleArn, vpc, networkIsolation, hardware, kmsKeyArn, tags }) {
      await request(
        open().send(
          new CreateEndpointConfigCommand({
            EndpointConfigName: name,
            ExecutionRoleArn: roleArn,
            ProductionVariants: [toHostVariant(hardware)],
            ...(networkIsolation && { EnableNetworkIsolation: true }),
            ...(vpc !== null && {
              VpcConfig: { Subnets: [...vpc.subnets], SecurityGroupIds: [...vpc.securityGroups] },
            }),
            ...(kmsKeyArn !== null && { KmsKeyId: kmsKeyArn }),
            Tags: toTagList({ ...tags, ...resourceTags() }),
          }),
        ),
      );
    },
    async create({ name, endpointName, modelName, hardware, tags }) {
      const { containerStartupTimeoutInSeconds, modelDownloadTimeoutInSeconds } = hardware;
      await request(
        open().send(
          new CreateInferenceComponentCommand({
            InferenceComponentName: name,
            EndpointName: endpointName,
            VariantName: HOST_VARIANT,
            Specification: {
              ModelName: modelName,
              ComputeResourceRequirements: {
                MinMemoryRequiredInMb: RESERVED_MB,
                ...reserved(hardware.instanceType),
              },
              StartupParameters: {
                ...(containerStartupTimeoutInSeconds !== undefined && {
                  ContainerStartupHealthCheckTimeoutInSeconds: containerStartupTimeoutInSeconds,
                }),
                ...(modelDownloadTimeoutInSeconds !== undefined && {
                  ModelDataDownloadTimeoutInSeconds: modelDownloadTimeoutInSeconds,
                }),
              },
            },
            RuntimeConfig: { CopyCount: 1 },
            Tags: toTagList({ ...tags, ...resourceTags() }),
          }),
        ),
      );
    },
    describe: (name) =>
      unlessMissing(async () => {
        const answer = await open().send(
          new DescribeInferenceComponentCommand({ InferenceComponentName: name }),
        );
        return {
          name,
          status: required(answer.InferenceComponentStatus, 'InferenceComponentStatus'),
          ...(answer.FailureReason !== undefined && { failureReason: answer.FailureReason }),
          copies: answer.RuntimeConfig?.CurrentCopyCount ?? 0,
        };
      }),
    async namesOn(endpointName) {
      const names: string[] = [];
      let NextToken: string | undefined;
      do {
        const page = await request(
          open().send(new ListInferenceComponentsCommand({ EndpointNameEquals: endpointName, NextToken })),
        );
        for (const one of page.InferenceComponents ?? [])
          names.push(required(one.InferenceComponentName, 'InferenceComponentName'));
        NextToken = page.NextToken;
      } while (NextToken !== undefined);
      return names;
    },
    async delete(name) {
      await unlessMissing(() =>
        open().send(new DeleteInferenceComponentCommand({ InferenceComponentName: name })),
      );
    },
  };
}
