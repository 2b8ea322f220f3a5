import type { Plan } from '../../plan/plan.ts';
import type { Condition } from '../../problem/conditions.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { EngineName, EngineSettings } from '../../transform/engine-settings.ts';
import type { JobRecord } from '../../transform/job-record.ts';

/** The facts about one attempt of a run that an engine needs. */
export interface EngineJob {
  readonly run: RunParts;
  readonly plan: Plan;
  readonly record: JobRecord;
}

/**
 * Outcome of a start:
 *
 * - `started`: the job runs; its record says on which hardware
 * - `busy`: all hardware is in use, and the same call may succeed later
 * - `unavailable`: waiting cannot help; `error` is for people
 */
export type Start =
  | { readonly status: 'started'; readonly record: JobRecord }
  | { readonly status: 'busy'; readonly reasons: readonly string[] }
  | { readonly status: 'unavailable'; readonly error: Condition };

/** The settings to try after hardware could not be had, or why there are no others. */
type Fallback = { readonly settings: EngineSettings } | { readonly error: Condition };

/** The part of an engine that stops its jobs, by nothing but their records. */
export interface JobStopper {
  isRunning(record: JobRecord): Promise<boolean>;
  /** Asks a job to stop; one that has ended or does not exist is left as it is. */
  stop(record: JobRecord): Promise<void>;
}

/**
 * A service that carries out the jobs of a run. Every call may be repeated: a job is named by its run and attempt, and its record is
 * written before it starts.
 *
 * A record's status is in one vocabulary for all engines. Its `capacity` means that nothing ran and nothing is billed.
 */
export interface Engine extends JobStopper {
  /**
   * Starts a job on the hardware that its record names first, or finds the one that an earlier call has started.
   *
   * @throws {TransformThrottled}
   * @throws {JobNameTaken}
   */
  start(job: EngineJob): Promise<Start>;
  /** The record as the engine sees the job now, cost included; undefined if it has no such job. */
  look(job: EngineJob): Promise<JobRecord | undefined>;
  fallback(job: Pick<EngineJob, 'plan' | 'record'>): Fallback;
}

/**
 * Makes the plan's model ready for an engine's jobs and returns its name, for people. Its archive has been stored under its digest before.
 *
 * @throws {ModelRefused}
 * @throws {ModelNameTaken}
 */
export type PrepareForEngine = (run: RunParts, plan: Plan) => Promise<string>;

/** How each engine of a stack gets a model ready. */
export type Preparers = Readonly<Record<EngineName, PrepareForEngine>>;

/** The engines of a stack: the one that a plan or a record names carries out its jobs. */
export type Engines = Readonly<Record<EngineName, Engine>>;

/** The same for a function that only stops jobs. */
export type JobStoppers = Readonly<Record<EngineName, JobStopper>>;
