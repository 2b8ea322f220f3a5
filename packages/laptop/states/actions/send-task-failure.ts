import * as z from 'zod';
import type { StatesDeps } from './deps.ts';

const Input = z.strictObject({
  taskToken: z.string().min(1).max(2048),
  error: z.string().max(256).optional(),
  cause: z.string().max(32_768).optional(),
});

/** Ends the Task that waits for the token, under the error that is given. */
export function sendTaskFailure({ tokens }: StatesDeps) {
  return (raw: unknown): unknown => {
    const { taskToken, error, cause } = Input.parse(raw);
    tokens.fail(taskToken, error, cause);
    return {};
  };
}
