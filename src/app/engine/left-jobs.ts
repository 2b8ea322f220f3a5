import type { EngineName } from '../../transform/engine-settings.ts';

/** A job under way, found without its record: the run that started it may be gone. */
export interface LeftJob {
  /** Its kind and name, such as `transform job inferdrop-cats-1`. */
  readonly title: string;
  /** `2 × ml.m5.large` */
  readonly hardware: string;
  stop(): Promise<void>;
}

/** Finds the jobs of a service that are under way and write to a bucket. */
export type FindLeftJobs = (bucket: string) => Promise<readonly LeftJob[]>;

/**
 * The jobs of each engine, and trainings, which no engine carries out. Engine lambda's jobs are executions of the stack's own state
 * machine, found with its other executions.
 */
export type LeftJobsByService = Readonly<Record<Exclude<EngineName, 'lambda'> | 'training', FindLeftJobs>>;
