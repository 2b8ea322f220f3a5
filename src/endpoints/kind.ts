/** Settings of instances that host models; left out where SageMaker chooses. */
export interface HostingOptions {
  readonly amiVersion?: string;
  readonly containerStartupTimeoutInSeconds?: number;
  readonly modelDownloadTimeoutInSeconds?: number;
  readonly volumeSizeInGB?: number;
}

/** Hardware of a production variant, by the kind of its endpoint. */
interface HardwareByKind {
  readonly instance: HostingOptions & {
    readonly instanceType: string;
    readonly initialInstanceCount: number;
    readonly acceleratorType: string | null;
  };
  readonly serverless: { readonly memorySizeInMB: number; readonly maxConcurrency: number };
  readonly scaleToZero: HostingOptions & {
    readonly instanceType: string;
    readonly maxCopies: number;
  };
  readonly lambda: { readonly memorySizeInMB: number };
}

/** Kinds of endpoints: `endpoint.type`, or `scaleToZero` where `endpoint.scaleToZero` asks for it. */
export const ENDPOINT_KIND_NAMES = ['instance', 'serverless', 'scaleToZero', 'lambda'] as const;
/** Name of a kind of endpoint. */
export type EndpointKindName = (typeof ENDPOINT_KIND_NAMES)[number];

/** Hardware of a production variant: one member for each kind of endpoint. */
export type EndpointHardware<Name extends EndpointKindName = EndpointKindName> = {
  [Each in Name]: { readonly kind: Each } & HardwareByKind[Each];
}[Name];

/** The fields of a planned endpoint that decide its hardware. */
export interface HardwareSettings {
  readonly type: Exclude<EndpointKindName, 'scaleToZero'>;
  readonly scaleToZero: boolean;
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

/** A production variant as SageMaker has it, without its names. */
export interface HostedVariant extends HostingOptions {
  readonly serverless?: { readonly memorySizeInMB: number; readonly maxConcurrency: number };
  readonly instanceType?: string;
  readonly initialInstanceCount?: number;
  readonly acceleratorType?: string | null;
  /** Most instances, if SageMaker starts and stops them as their inference components need. */
  readonly managedInstances?: number;
}

/** The rules of one kind of endpoint. */
export interface EndpointKind<Name extends EndpointKindName> {
  /** Name of the check of `inferdrop verify` that tries it in an account. */
  readonly liveCheck: string;
  /** Words after the name of one of its endpoints: `runs on instances`. */
  readonly words: string;
  /** Whether it costs nothing while it is idle, and has no autoscaling of its own. */
  readonly isPaidByUse: boolean;
  /** Whether a function answers for it: it opens the model converted, and no container is started. */
  readonly runsInFunctions: boolean;
  /** Whether its models are inference components, which requests name. */
  readonly hostsComponents: boolean;
  /** The hardware of a plan, without the settings that belong to other kinds. */
  toHardware(settings: HardwareSettings): EndpointHardware<Name>;
  /** Whether a key of the customer encrypts volumes of its own. */
  hasVolumes(settings: HardwareSettings): boolean;
  /** The same hardware with another number of instances, if it has instances. */
  withInstances(hardware: EndpointHardware<Name>, count: number): EndpointHardware<Name>;
  /** The instances that run as long as it does, and that autoscaling may change; null without. */
  fleet(hardware: EndpointHardware<Name>): Omit<EndpointHardware<'instance'>, 'kind'> | null;
  /** Most instances that it needs, which is while it is updated: its new fleet runs next to the one that serves. */
  instancesWhileUpdated(settings: {
    readonly initialInstanceCount: number;
    readonly autoscaling: { readonly maxInstances: number } | null;
  }): number;
  /** The variant by which SageMaker hosts it; null if it does not. */
  toHosted(hardware: EndpointHardware<Name>): HostedVariant | null;
  /** The hardware of a variant; null if it is another kind's. */
  ofHosted(variant: HostedVariant): EndpointHardware<Name> | null;
  /** Hardware in words: `2 × ml.m5.xlarge`. */
  describe(hardware: EndpointHardware<Name>): string;
}
