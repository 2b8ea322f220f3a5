import type { Plan, PlannedJob } from './plan.ts';

/** Results of writing a run's files, which its plan needs. */
export interface Written {
  readonly createdAt: Date;
  readonly model: Pick<
    Plan['model'],
    'artifact' | 'artifactVersion' | 'artifactEtag' | 'sha256' | 'sizeBytes' | 'served' | 'given'
  >;
  /** Keys of the copy of the label file, and of the index of its sorted parts; its ETag; null if there are none. */
  readonly labels: Pick<Plan['labels'], 'file' | 'etag' | 'index'>;
  readonly jobs: {
    readonly planned: readonly PlannedJob[];
    readonly outlierBytes: number | null;
    readonly pilot: readonly string[];
    /** Whether a pilot was asked for. */
    readonly isPilot: boolean;
    readonly notes: readonly string[];
  };
  readonly quoteUsd: number | null;
  /** Quote of the inputs that weren't drawn; null if all are sent, and without a price. */
  readonly restQuoteUsd: number | null;
  /** Quote of all rounds that may follow, if the gate is decided early. */
  readonly mostUsd: number | null;
  /** US dollars that the day has left for the run; null without a bound. */
  readonly leftUsd: number | null;
}
