import * as z from 'zod';
import { parseWrittenJson } from '../../text/written-json.ts';
import { UsageError } from '../usage-error.ts';

/** A job.json as far as a sample is written into it; the run judges the rest. */
const Job = z.looseObject({ sample: z.looseObject({}).nullish() });

/**
 * The text of a drop's job.json with a sample of `inputs`; what else it says stays.
 *
 * @param text undefined if there is none
 * @throws {UsageError} where it is no JSON object
 */
export function jobWithSample(text: string | undefined, inputs: number): string {
  const { sample, ...job } = text === undefined ? { sample: undefined } : parseJob(text);
  return `${JSON.stringify({ ...job, sample: { ...sample, inputs } }, undefined, 2)}\n`;
}

function parseJob(text: string): z.infer<typeof Job> {
  try {
    return Job.parse(parseWrittenJson(text));
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
    throw new UsageError('job.json must be a JSON object, so that --sample can be written into it');
  }
}

/**
 * The value of `--sample`.
 *
 * @throws {UsageError} where it is no count
 */
export function toSample(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`--sample must be a number of inputs from 1, is ${text}`);
}
