import type { EngineName } from '../../transform/engine-settings.ts';
import type { JobRecord } from '../../transform/job-record.ts';

/** A line that a job wrote. */
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
}

/**
 * What an engine knows of a job from its logs. It stands apart from the engine, since who reads logs needs no permission to run jobs.
 * Logs may arrive seconds after the job has ended.
 */
export interface EngineLogs {
  /** Every line of a job, oldest first. */
  all(record: JobRecord): AsyncIterable<JobLine>;
  /** Why objects have no answer, each once, of the first `most` objects. */
  failures(record: JobRecord, most: number): AsyncIterable<JobFailure>;
  /** What ran the model, as the job itself says it; empty where it says nothing. */
  runtimes(record: JobRecord): Promise<readonly string[]>;
}

/** The logs of each engine: the one that a record names is asked. */
export type LogsByEngine = Readonly<Record<EngineName, EngineLogs>>;
