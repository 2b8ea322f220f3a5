import type {
  DescribeEndpointConfigCommandOutput,
  ProductionVariant,
  ProductionVariantAcceleratorType,
  ProductionVariantInferenceAmiVersion,
  ProductionVariantInstanceType,
} from '@aws-sdk/client-sagemaker';
import type { EndpointHardware } from '../../endpoint/hardware.ts';
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
  if (hardware.kind === 'serverless') {
    const { memorySizeInMB, maxConcurrency } = hardware;
    return { ...base, ServerlessConfig: { MemorySizeInMB: memorySizeInMB, MaxConcurrency: maxConcurrency } };
  }
  return {
    ...base,
    // The SDK only knows the types of its own release; SageMaker decides, and names the types that it refuses.
    // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
    InstanceType: hardware.instanceType as ProductionVariantInstanceType,
    InitialInstanceCount: hardware.initialInstanceCount,
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
    ...(hardware.acceleratorType !== null && {
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
      AcceleratorType: hardware.acceleratorType as ProductionVariantAcceleratorType,
    }),
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
  } = variant;
  return {
    kind: 'instance',
    instanceType: variant.InstanceType ?? '',
    initialInstanceCount: variant.InitialInstanceCount ?? 0,
    acceleratorType: variant.AcceleratorType ?? null,
    ...(amiVersion !== undefined && { amiVersion }),
    ...(containerStartupTimeoutInSeconds !== undefined && { containerStartupTimeoutInSeconds }),
    ...(modelDownloadTimeoutInSeconds !== undefined && { modelDownloadTimeoutInSeconds }),
    ...(volumeSizeInGB !== undefined && { volumeSizeInGB }),
  };
}
