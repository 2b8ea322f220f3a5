import * as z from 'zod';
import { AwsError } from '../kernel/aws-error.ts';

/** A time of the JSON protocol: seconds since the epoch. */
export const EpochSeconds = z.number().transform((seconds) => seconds * 1000);

/** A period of at least a minute, which is the finest that this stack keeps. */
export const PeriodSeconds = z
  .int()
  .min(1)
  .refine((period) => period % 60 === 0, {
    message: 'must be a multiple of 60: this stack keeps values by the minute',
  })
  .transform((seconds) => seconds * 1000);

const MINUTE_MS = 60_000;

/**
 * The start is rounded down to the minute, as CloudWatch does it.
 *
 * @throws {AwsError} `InvalidParameterValue`
 */
export function toStart(startMs: number, endMs: number): number {
  if (startMs >= endMs) {
    throw new AwsError(
      'InvalidParameterValue',
      'The parameter StartTime must be less than the parameter EndTime.',
    );
  }
  return Math.floor(startMs / MINUTE_MS) * MINUTE_MS;
}
