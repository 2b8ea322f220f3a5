import type { StackSettings } from '../run/stack-settings.ts';

/** Content of an endpoint configuration: two with the same content are the same. */
export interface EndpointContent {
  readonly model: {
    readonly sha256: string;
    readonly imageUri: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly executionRoleArn: string;
    /** Absent without isolation, so that earlier deployments keep their names. */
    readonly networkIsolation?: true;
    readonly vpc: StackSettings['vpc'];
  };
  readonly hardware: EndpointHardware;
  readonly kmsKeyArn: string | null;
}

/** Hardware of a production variant. */
export type EndpointHardware =
  | {
      readonly kind: 'instance';
      readonly instanceType: string;
      readonly initialInstanceCount: number;
      readonly acceleratorType: string | null;
      /** Left out where SageMaker chooses. */
      readonly amiVersion?: string;
      readonly containerStartupTimeoutInSeconds?: number;
      readonly modelDownloadTimeoutInSeconds?: number;
      readonly volumeSizeInGB?: number;
    }
  | { readonly kind: 'serverless'; readonly memorySizeInMB: number; readonly maxConcurrency: number };

/** The fields of a planned endpoint that decide its hardware. */
export interface HardwareSettings {
  readonly type: 'instance' | 'serverless';
  readonly instanceType: string;
  readonly initialInstanceCount: number;
  readonly acceleratorType: string | null;
  readonly amiVersion: string | null;
  readonly containerStartupTimeoutInSeconds: number | null;
  readonly modelDownloadTimeoutInSeconds: number | null;
  readonly volumeSizeInGB: number | null;
  readonly memorySizeInMB: number;
  readonly maxConcurrency: number;
}

/** The hardware of a plan, without the settings that belong to the other kind. */
export function toHardware(settings: HardwareSettings): EndpointHardware {
  const { type, instanceType, initialInstanceCount, acceleratorType, amiVersion } = settings;
  const { containerStartupTimeoutInSeconds, modelDownloadTimeoutInSeconds, volumeSizeInGB } = settings;
  const { memorySizeInMB, maxConcurrency } = settings;
  return type === 'serverless'
    ? { kind: type, memorySizeInMB, maxConcurrency }
    : {
        kind: type,
        instanceType,
        initialInstanceCount,
        acceleratorType,
        ...(amiVersion !== null && { amiVersion }),
        ...(containerStartupTimeoutInSeconds !== null && { containerStartupTimeoutInSeconds }),
        ...(modelDownloadTimeoutInSeconds !== null && { modelDownloadTimeoutInSeconds }),
        ...(volumeSizeInGB !== null && { volumeSizeInGB }),
      };
}

/**
 * The smallest form of a content that answers as the full one would: one instance. A serverless configuration is billed by use, so it stays
 * as it is.
 */
export function toCandidateContent(content: EndpointContent): EndpointContent {
  return contentWithInstances(content, 1);
}

/** Content with another number of instances; serverless hardware has none. */
export function contentWithInstances(content: EndpointContent, count: number): EndpointContent {
  return { ...content, hardware: withInstances(content.hardware, count) };
}

/** The same hardware with another number of instances; serverless hardware has none. */
export function withInstances(hardware: EndpointHardware, count: number): EndpointHardware {
  return hardware.kind === 'serverless' ? hardware : { ...hardware, initialInstanceCount: count };
}

/** Hardware in words: `2 × ml.m5.xlarge`, `serverless, 4096 MB, 10 at once`. */
export function describeHardware(hardware: EndpointHardware): string {
  if (hardware.kind === 'serverless')
    return `serverless, ${hardware.memorySizeInMB} MB, ${hardware.maxConcurrency} at once`;
  const { initialInstanceCount, instanceType, acceleratorType } = hardware;
  return `${initialInstanceCount} × ${instanceType}${acceleratorType === null ? '' : ` with ${acceleratorType}`}`;
}
