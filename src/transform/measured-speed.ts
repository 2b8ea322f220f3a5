import * as z from 'zod';
import { RunId } from '../run/run-id.ts';
import { EngineSettings } from './engine-settings.ts';
import type { JobRecord } from './job-record.ts';

/** Speed of a job with certain settings, as a probe has measured it. */
export const MeasuredSpeed = z.object({
  run: RunId,
  /** UTC, ISO 8601. */
  at: z.iso.datetime(),
  /** Archive of the model; another one may be as fast, or not. */
  model: z.string(),
  engine: EngineSettings,
  /** Whether a request had many inputs. */
  bundled: z.boolean(),
  objects: z.int().min(1),
  /** Seconds from the request for the job to the first that is billed, from there to the first answer, and to the last one. */
  startSeconds: z.number().nonnegative(),
  startupSeconds: z.number().nonnegative(),
  workSeconds: z.number().nonnegative(),
  /** Answers a second of each instance, between the first and the last. */
  inputsPerSecond: z.number().positive(),
  /** Null if the price is not known. */
  costUsd: z.number().nullable(),
});
export type MeasuredSpeed = z.infer<typeof MeasuredSpeed>;

/** Fewest answers with times that make a usable speed. */
const FEW = 10;

/** Answers that the jobs of a run have written so far. */
export interface WrittenAnswers {
  readonly count: number;
  readonly first: Date;
  readonly last: Date;
}

/** Bounds of the answers a second: S3 lists whole seconds, so that both times may be a second off. */
export function speedBounds({ count, first, last }: WrittenAnswers): {
  readonly least: number;
  readonly most: number;
} {
  const spanMs = last.getTime() - first.getTime();
  const gaps = Math.max(1, count - 1);
  const unsureMs = isWholeSeconds(first) && isWholeSeconds(last) ? 1_000 : 1;
  return {
    least: (gaps * 1_000) / (spanMs + unsureMs),
    most: spanMs > unsureMs ? (gaps * 1_000) / (spanMs - unsureMs) : Infinity,
  };
}

/** A job's seconds by part, and its speed: the lower bound, since a short job shows no more. Undefined before the job has ended. */
export function measureJob(
  { createdAt, startedAt, endedAt, objects }: JobRecord,
  answers: WrittenAnswers | undefined,
  instances: number,
): Pick<MeasuredSpeed, 'startSeconds' | 'startupSeconds' | 'workSeconds' | 'inputsPerSecond'> | undefined {
  if (startedAt === undefined || endedAt === undefined) return undefined;
  const startSeconds = secondsBetween(createdAt, startedAt);
  // Few answers, or some that share objects, have times that say little; the job's own include its startup.
  if (answers === undefined || answers.count < Math.max(FEW, objects / 2)) {
    const workSeconds = secondsBetween(startedAt, endedAt);
    const inputsPerSecond = objects / Math.max(workSeconds, 0.001) / instances;
    return { startSeconds, startupSeconds: 0, workSeconds, inputsPerSecond };
  }
  return {
    startSeconds,
    startupSeconds: secondsBetween(startedAt, answers.first.toISOString()),
    workSeconds: (answers.last.getTime() - answers.first.getTime()) / 1_000,
    inputsPerSecond: speedBounds(answers).least / instances,
  };
}

function isWholeSeconds(time: Date): boolean {
  return time.getTime() % 1_000 === 0;
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, (Date.parse(to) - Date.parse(from)) / 1_000);
}
