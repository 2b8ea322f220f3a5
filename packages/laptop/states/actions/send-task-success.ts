import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { Json } from '../json.ts';
import { parseJson } from '../json.ts';
import { isWithinLimit } from '../payload.ts';
import type { StatesDeps } from './deps.ts';

const Input = z.strictObject({ taskToken: z.string().min(1).max(2048), output: z.string() });

/** Gives the Task that waits for the token its result. A token serves once. */
export function sendTaskSuccess({ tokens }: StatesDeps) {
  return (raw: unknown): unknown => {
    const { taskToken, output } = Input.parse(raw);
    tokens.succeed(taskToken, readOutput(output));
    return {};
  };
}

/** @throws {AwsError} `InvalidOutput` */
function readOutput(output: string): Json {
  if (!isWithinLimit(output)) throw new AwsError('InvalidOutput', 'Invalid Output: larger than 256 KiB');
  try {
    return parseJson(output);
  } catch (error) {
    throw new AwsError('InvalidOutput', `Invalid Output: '${String(error)}'`);
  }
}
