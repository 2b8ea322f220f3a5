import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { type Json, parseJson } from '../json.ts';
import { isWithinLimit } from '../payload.ts';
import type { StatesDeps } from './deps.ts';

/** Gives the Task that waits for the token its result. A token serves once. */
export const sendTaskSuccess = ({ tokens }: StatesDeps) =>
  action('SendTaskSuccess', {
    input: z.strictObject({ taskToken: z.string().min(1).max(2048), output: z.string() }),
    run: ({ taskToken, output }) => {
      tokens.succeed(taskToken, readOutput(output));
      return {};
    },
  });

/** @throws {AwsError} `InvalidOutput` */
function readOutput(output: string): Json {
  if (!isWithinLimit(output)) throw new AwsError('InvalidOutput', 'Invalid Output: larger than 256 KiB');
  try {
    return parseJson(output);
  } catch (error) {
    throw new AwsError('InvalidOutput', `Invalid Output: '${String(error)}'`);
  }
}
