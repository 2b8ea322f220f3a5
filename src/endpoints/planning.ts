import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import type { PriceOverride } from '../price/price-override.ts';

/** Facts of a run besides its configuration. */
export interface EndpointFrame {
  readonly region: string;
  readonly prices: PriceOverride | undefined;
  readonly hasVpc: boolean;
  /** Undefined if the archive could not be read. */
  readonly archiveBytes: number | undefined;
  readonly largestObjectBytes: number;
  /** Why a function can't run the archive; each reason names the change to make. Empty if it couldn't be read. */
  readonly functionReasons?: readonly string[];
}

/** An endpoint as it is planned, and further facts for the judgment of its kind. */
export interface AskedEndpoint {
  readonly config: PipelineConfig;
  readonly frame: EndpointFrame;
  /** The instance type after a retired accelerator was replaced. */
  readonly instanceType: string;
  /** Price of an hour of an instance in US dollars; null if it is not known. */
  readonly instanceUsd: number | null;
}

/** Refuses a field of `endpoint`, with its remedy. */
export type RefuseField = (field: string, value: unknown, message: string) => void;

/** Decisions of PlanRun that depend on the kind of endpoint. */
export interface EndpointPlanning {
  /** Refuses what AWS would refuse later, or what cannot be intended. */
  refuse(asked: AskedEndpoint, refuse: RefuseField): void;
  /** Sentences about an endpoint that is deployed automatically. */
  notes(asked: AskedEndpoint): readonly string[];
  /** Price of an hour of one instance in US dollars; null if it is not known, or no instance is paid. */
  hourlyUsd(asked: AskedEndpoint): number | null;
  /** Lifetime if the configuration names none; null keeps the endpoint. */
  readonly usualTtlHours: number | null;
  /** The settings of the plan that the configuration leaves to the kind of endpoint. */
  defaults(asked: AskedEndpoint): {
    readonly amiVersion: string | null;
    readonly containerStartupTimeoutInSeconds: number | null;
    readonly modelDownloadTimeoutInSeconds: number | null;
    readonly memorySizeInMB: number;
  };
}
