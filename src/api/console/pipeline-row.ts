import type { EndpointRow } from './endpoint-row.ts';
import type { RunRow } from './run-row.ts';

/** A pipeline in one line. */
export interface PipelineRow {
  readonly pipeline: string;
  /** Null if pipeline.json has problems that keep it from being read. */
  readonly settings: {
    readonly framework: string;
    readonly frameworkVersion: string;
    /** Null if the classes are in a file of their own. */
    readonly classes: number | null;
    readonly trains: boolean;
    readonly minAccuracy: number | null;
    readonly maxCostUsdPerDay: number | null;
    readonly maxCostUsd: number | null;
    readonly quietSeconds: number;
    readonly deploy: string;
    readonly contentType: string;
    readonly splitType: string;
    readonly opensTables: boolean;
  } | null;
  /** The newest runs that have ended, newest first. */
  readonly runs: readonly RunRow[];
  readonly endpoint: EndpointRow | null;
  readonly todayUsd: number;
}

/** The first page. */
export interface PipelinesData {
  readonly underWay: readonly RunRow[];
  readonly pipelines: readonly PipelineRow[];
}
