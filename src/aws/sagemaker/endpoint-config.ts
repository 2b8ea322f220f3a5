import type {
  DescribeEndpointConfigCommandOutput,
  ProductionVariant,
  ProductionVariantAcceleratorType,
  ProductionVariantInferenceAmiVersion,
  ProductionVariantInstanceType,
} from '@aws-sdk/client-sagemaker';
import type { FunctionModel } from '../../endpoints/function/function-model.ts';
import { ENDPOINT_KIND_NAMES, type EndpointHardware, type HostedVariant } from '../../endpoints/kind.ts';
import { endpointKind } from '../../endpoints/kinds.ts';
import { required } from '../calls/answer.ts';
import type { Tags } from './sagemaker-request.ts';

/** The one production variant of a configuration. */
interface VariantSpec {
  readonly variantName: string;
  readonly modelName: string;
  readonly hardware: EndpointHardware;
}

/** A configuration to create. */
export interface EndpointConfigSpec extends VariantSpec {
  readonly name: string;
  readonly kmsKeyArn: string | null;
  readonly tags: Tags;
  /** The model that a function opens; SageMaker finds its own by name. */
  readonly functionModel?: FunctionModel;
}

/** A configuration as SageMaker describes it. */
export interface EndpointConfigDescription {
  readonly name: string;
  readonly arn: string;
  readonly kmsKeyArn: string | null;
  readonly variants: readonly VariantSpec[];
}

/** The variant in SageMaker's form. */
export function toVariant({ variantName, modelName, hardware }: VariantSpec): ProductionVariant {
  if (endpointKind(hardware.kind).hostsComponents)
    throw new RangeError('the variant of inference components has no model: see toHostVariant');
  return { ...toProduction(hardware), VariantName: variantName, ModelName: modelName };
}

/** Name of the variant that hosts inference components: they name their model themselves. */
export const HOST_VARIANT = 'components';

/** The variant of an endpoint that hosts inference components. */
export function toHostVariant(hardware: EndpointHardware): ProductionVariant {
  return {
    ...toProduction(hardware),
    VariantName: HOST_VARIANT,
    RoutingConfig: { RoutingStrategy: 'LEAST_OUTSTANDING_REQUESTS' },
  };
}

function toProduction(hardware: EndpointHardware): Omit<ProductionVariant, 'VariantName'> {
  const hosted = endpointKind(hardware.kind).toHosted(hardware);
  if (hosted === null) throw new RangeError(`SageMaker has no endpoints of type ${hardware.kind}`);
  const { serverless } = hosted;
  if (serverless !== undefined)
    return {
      ServerlessConfig: {
        MemorySizeInMB: serverless.memorySizeInMB,
        MaxConcurrency: serverless.maxConcurrency,
      },
    };
  return {
    // The SDK only knows the types of its own release; SageMaker decides, and names the types that it refuses.
    // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
    InstanceType: hosted.instanceType as ProductionVariantInstanceType,
    InitialInstanceCount: hosted.initialInstanceCount,
    InitialVariantWeight: 1,
    ...(hosted.acceleratorType && {
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
      AcceleratorType: hosted.acceleratorType as ProductionVariantAcceleratorType,
    }),
    ...(hosted.managedInstances !== undefined && {
      ManagedInstanceScaling: {
        Status: 'ENABLED',
        MinInstanceCount: 0,
        MaxInstanceCount: hosted.managedInstances,
      },
    }),
    ...(hosted.amiVersion !== undefined && {
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
      InferenceAmiVersion: hosted.amiVersion as ProductionVariantInferenceAmiVersion,
    }),
    ...(hosted.containerStartupTimeoutInSeconds !== undefined && {
      ContainerStartupHealthCheckTimeoutInSeconds: hosted.containerStartupTimeoutInSeconds,
    }),
    ...(hosted.modelDownloadTimeoutInSeconds !== undefined && {
      ModelDataDownloadTimeoutInSeconds: hosted.modelDownloadTimeoutInSeconds,
    }),
    ...(hosted.volumeSizeInGB !== undefined && { VolumeSizeInGB: hosted.volumeSizeInGB }),
  };
}

/** A configuration from SageMaker's description. */
export function toConfig(
  name: string,
  answer: DescribeEndpointConfigCommandOutput,
): EndpointConfigDescription {
  return {
    name,
    arn: required(answer.EndpointConfigArn, 'EndpointConfigArn'),
    kmsKeyArn: answer.KmsKeyId ?? null,
    variants: (answer.ProductionVariants ?? []).map((variant) => ({
      variantName: variant.VariantName ?? '',
      modelName: variant.ModelName ?? '',
      hardware: toHardware(variant),
    })),
  };
}

function ofHosted(variant: HostedVariant): EndpointHardware {
  for (const name of ENDPOINT_KIND_NAMES) {
    const hardware = endpointKind(name).ofHosted(variant);
    if (hardware !== null) return hardware;
  }
  throw new RangeError(`no kind of endpoint has variants such as ${JSON.stringify(variant)}`);
}

function toHardware({ ServerlessConfig, ...variant }: ProductionVariant): EndpointHardware {
  if (ServerlessConfig !== undefined) {
    const { MemorySizeInMB: memorySizeInMB = 0, MaxConcurrency: maxConcurrency = 0 } = ServerlessConfig;
    return ofHosted({ serverless: { memorySizeInMB, maxConcurrency } });
  }
  const {
    InstanceType: instanceType = '',
    InitialInstanceCount: initialInstanceCount = 0,
    AcceleratorType: acceleratorType = null,
    InferenceAmiVersion: amiVersion,
    ContainerStartupHealthCheckTimeoutInSeconds: containerStartupTimeoutInSeconds,
    ModelDataDownloadTimeoutInSeconds: modelDownloadTimeoutInSeconds,
    VolumeSizeInGB: volumeSizeInGB,
    ManagedInstanceScaling: managed,
  } = variant;
  return ofHosted({
    instanceType,
    initialInstanceCount,
    acceleratorType,
    ...(managed !== undefined && { managedInstances: managed.MaxInstanceCount ?? 0 }),
    ...(amiVersion !== undefined && { amiVersion }),
    ...(containerStartupTimeoutInSeconds !== undefined && { containerStartupTimeoutInSeconds }),
    ...(modelDownloadTimeoutInSeconds !== undefined && { modelDownloadTimeoutInSeconds }),
    ...(volumeSizeInGB !== undefined && { volumeSizeInGB }),
  });
}
