import * as z from 'zod';
import { RunId } from '../run/run-id.ts';

/** A time span of a job under one secondary status. */
const JobPhase = z.object({
  /** SecondaryStatus: `Starting`, `Downloading`, `Training`, `Uploading`, … */
  status: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().optional(),
  message: z.string().optional(),
});

/** The metrics of a running job, as far as `training.stop` asks for them, and how far the first host's log has been read for them. */
export const MetricWatch = z.object({
  /** Time of the last line, and the number of lines read that have this time. */
  at: z.iso.datetime(),
  lines: z.int().nonnegative(),
  values: z.array(z.object({ metric: z.string(), nanInARow: z.int(), wasNumber: z.boolean() })),
  /** Best value of the watched metric; null while there's no value. */
  best: z.number().nullable(),
  sinceBest: z.int().nonnegative(),
});
export type MetricWatch = z.infer<typeof MetricWatch>;

/**
 * `jobs/<n>/job.json` of a training: its n-th attempt, written before SageMaker is called (`Planned`), and rewritten while it runs. A
 * further attempt follows only if AWS had no instance for the one before.
 */
export const TrainingJobRecord = z.object({
  schema: z.literal(1),
  kind: z.literal('training'),
  run: RunId,
  attempt: z.int().min(1),
  jobName: z.string(),
  instanceType: z.string(),
  instanceCount: z.int().min(1),
  status: z.enum(['Planned', 'InProgress', 'Completed', 'Failed', 'Stopping', 'Stopped']),
  /** Also says why a job was stopped: `MaxRuntimeExceeded`, `MaxWaitTimeExceeded`. */
  secondaryStatus: z.string().optional(),
  failureReason: z.string().optional(),
  /** Why the application stopped it. */
  stopReason: z.string().optional(),
  /** True if AWS had no instance: nothing ran, nothing is billed. */
  capacity: z.boolean().optional(),
  /** UTC, ISO 8601. */
  createdAt: z.iso.datetime(),
  /** When the instances were there. */
  startedAt: z.iso.datetime().optional(),
  endedAt: z.iso.datetime().optional(),
  /** Training time of one instance; with spot capacity fewer seconds are billed. Both are absent until SageMaker reports them. */
  trainingSeconds: z.number().nonnegative().optional(),
  billableSeconds: z.number().nonnegative().optional(),
  /** US dollars; null if the price of the instance is not known. */
  costUsd: z.number().nullable(),
  /** S3 URI of model.tar.gz, which only exists if the script left a model. */
  artifact: z.string().optional(),
  phases: z.array(JobPhase),
  /** Absent without metrics, and before the script has begun. */
  watch: MetricWatch.optional(),
});
export type TrainingJobRecord = z.infer<typeof TrainingJobRecord>;
