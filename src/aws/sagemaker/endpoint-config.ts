import type {
  DescribeEndpointConfigCommandOutput,
  ProductionVariant,
  ProductionVariantAcceleratorType,
  ProductionVariantInferenceAmiVersion,
  ProductionVariantInstanceType,
} from '@aws-sdk/client-sagemaker';
import type { FunctionModel } from '../../endpoints/function/function-model.ts';
import type { EndpointHardware } from '../../endpoints/kind.ts';
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
  const base = { VariantName: variantName, ModelName: modelName };
  if (hardware.kind === 'scaleToZero')
    throw new RangeError('a variant that scales to zero has no model: see toHostVariant');
  if (hardware.kind === 'serverless') {
    const { memorySizeInMB, maxConcurrency } = hardware;
    return { ...base, ServerlessConfig: { MemorySizeInMB: memorySizeInMB, MaxConcurrency: maxConcurrency } };
  }
  if (hardware.kind === 'lambda') throw new RangeError('SageMaker has no endpoints of type lambda');
  return {
    ...base,
    ...ofInstances(hardware),
    InitialInstanceCount: hardware.initialInstanceCount,
    ...(hardware.acceleratorType !== null && {
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
      AcceleratorType: hardware.acceleratorType as ProductionVariantAcceleratorType,
    }),
  };
}

/** Name of the variant that hosts inference components: they name their model themselves. */
export const HOST_VARIANT = 'components';

/** The variant of an endpoint that scales to zero. An update runs two models beside each other, so the bound is twice the copies of one. */
export function toHostVariant(hardware: EndpointHardware<'scaleToZero'>): ProductionVariant {
  return {
    VariantName: HOST_VARIANT,
    ...ofInstances(hardware),
    InitialInstanceCount: 1,
    ManagedInstanceScaling: {
      Status: 'ENABLED',
      MinInstanceCount: 0,
      MaxInstanceCount: 2 * hardware.maxCopies,
    },
    RoutingConfig: { RoutingStrategy: 'LEAST_OUTSTANDING_REQUESTS' },
  };
}

function ofInstances(
  hardware: EndpointHardware<'instance' | 'scaleToZero'>,
): Omit<ProductionVariant, 'VariantName'> {
  return {
    // The SDK only knows the types of its own release; SageMaker decides, and names the types that it refuses.
    // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
    InstanceType: hardware.instanceType as ProductionVariantInstanceType,
    InitialVariantWeight: 1,
    ...(hardware.amiVersion !== undefined && {
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
      InferenceAmiVersion: hardware.amiVersion as ProductionVariantInferenceAmiVersion,
    }),
    ...(hardware.containerStartupTimeoutInSeconds !== undefined && {
      ContainerStartupHealthCheckTimeoutInSeconds: hardware.containerStartupTimeoutInSeconds,
    }),
    ...(hardware.modelDownloadTimeoutInSeconds !== undefined && {
      ModelDataDownloadTimeoutInSeconds: hardware.modelDownloadTimeoutInSeconds,
    }),
    ...(hardware.volumeSizeInGB !== undefined && { VolumeSizeInGB: hardware.volumeSizeInGB }),
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

function toHardware({ ServerlessConfig, ...variant }: ProductionVariant): EndpointHardware {
  if (ServerlessConfig !== undefined)
    return {
      kind: 'serverless',
      memorySizeInMB: ServerlessConfig.MemorySizeInMB ?? 0,
      maxConcurrency: ServerlessConfig.MaxConcurrency ?? 0,
    };
  const {
    InferenceAmiVersion: amiVersion,
    ContainerStartupHealthCheckTimeoutInSeconds: containerStartupTimeoutInSeconds,
    ModelDataDownloadTimeoutInSeconds: modelDownloadTimeoutInSeconds,
    VolumeSizeInGB: volumeSizeInGB,
    ManagedInstanceScaling: managed,
  } = variant;
  const optional = {
    ...(amiVersion !== undefined && { amiVersion }),
    ...(containerStartupTimeoutInSeconds !== undefined && { containerStartupTimeoutInSeconds }),
    ...(modelDownloadTimeoutInSeconds !== undefined && { modelDownloadTimeoutInSeconds }),
    ...(volumeSizeInGB !== undefined && { volumeSizeInGB }),
  };
  if (managed !== undefined)
    return {
      kind: 'scaleToZero',
      instanceType: variant.InstanceType ?? '',
      maxCopies: (managed.MaxInstanceCount ?? 0) / 2,
      ...optional,
    };
  return {
    kind: 'instance',
    instanceType: variant.InstanceType ?? '',
    initialInstanceCount: variant.InitialInstanceCount ?? 0,
    acceleratorType: variant.AcceleratorType ?? null,
    ...optional,
  };
}
