import type { MayRead } from '../../aws/logs/log-events.ts';
import type { EngineName } from '../../transform/engine-settings.ts';
import type { JobRecord } from '../../transform/job-record.ts';

interface JobLine {
  readonly at: Date;
  /** Part of the job that wrote it, such as `container`. */
  readonly source: string;
  /** Name of the instance that it ran on. */
  readonly instance: string;
  readonly text: string;
}

/** Why a job has no answer for an object. */
interface JobFailure {
  /** `<bucket>/<key>` of the object. */
  readonly object: string;
  /** The reason in words for people, on one line. */
  readonly why: string;
  /** HTTP status of the container's last answer; undefined if it gave none. */
  readonly status: number | undefined;
  /** Whether the last answer came too late. */
  readonly isLate: boolean;
}

/**
 * The logs of an engine's jobs. They are apart from the engine, since reading logs needs no permission to run jobs. Logs may arrive seconds
 * after the job has ended.
 */
export interface EngineLogs {
  /** The lines of a job from a time on, oldest first; every line without one. */
  all(record: JobRecord, since?: Date, mayRead?: MayRead): AsyncIterable<JobLine>;
  /** Reasons why objects have no answer, one an object, for the first `most` objects. */
  failures(record: JobRecord, most: number): AsyncIterable<JobFailure>;
  /** Runtimes that ran the model, as the job itself reports them; empty if it reports none. */
  runtimes(record: JobRecord): Promise<readonly string[]>;
}

/** The logs of each engine, by the name that a record carries. */
export type LogsByEngine = Readonly<Record<EngineName, EngineLogs>>;
