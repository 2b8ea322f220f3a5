import * as z from 'zod';
import { RunId } from '../run/run-id.ts';
import { EngineSettings } from './engine-settings.ts';

/**
 * `jobs/<n>/job.json`: the n-th attempt of a run, written when it is decided (`Planned`), and rewritten while it runs.
 *
 * A part is one of the plan's jobs; a retry takes everything still missing; a half is one half of an attempt that yielded nothing;
 * a spread takes a few inputs from all over an attempt with only refused requests. A first bundle is a former part of the plan that
 * had no usable answer.
 */
export const JobRecord = z.object({
  schema: z.literal(1),
  run: RunId,
  attempt: z.int().min(1),
  kind: z.enum(['part', 'retry', 'first-half', 'second-half', 'spread', 'first-bundle']),
  /** The plan's job that the inputs belong to; for a retry the last one before it. */
  part: z.int().min(1),
  jobName: z.string(),
  engine: EngineSettings,
  /** Key of the input manifest. */
  input: z.string(),
  objects: z.int().min(1),
  firstKey: z.string(),
  lastKey: z.string(),
  /** Outputs of the run before this attempt; if there are more after it, the attempt has yielded something. */
  outputsBefore: z.int().nonnegative(),
  /** Inputs that are checked to estimate the progress, evenly spread; empty if the outputs are simply counted. */
  sample: z.array(z.string()),
  status: z.enum(['Planned', 'InProgress', 'Completed', 'Failed', 'Stopping', 'Stopped']),
  failureReason: z.string().optional(),
  /** Name of the error that ended it, if its engine names one. */
  error: z.string().optional(),
  /** Bundles of answers that were looked at while it ran, by number, and how many of their inputs are answered or refused for good. */
  heads: z
    .object({
      read: z.array(z.int().nonnegative()),
      answered: z.int().nonnegative(),
      refused: z.int().nonnegative(),
    })
    .optional(),
  /** Why the application stopped it. */
  stopReason: z.string().optional(),
  /** True if no hardware could be had: nothing ran, nothing is billed. */
  capacity: z.boolean().optional(),
  /** UTC, ISO 8601. */
  createdAt: z.iso.datetime(),
  /** When billing began. */
  startedAt: z.iso.datetime().optional(),
  endedAt: z.iso.datetime().optional(),
  /** US dollars; null if the price of the instance is unknown. */
  costUsd: z.number().nullable(),
});
export type JobRecord = z.infer<typeof JobRecord>;
