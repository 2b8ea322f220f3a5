import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { StatesDeps } from './deps.ts';

/** Ends the Task that waits for the token, under the error that is given. */
export const sendTaskFailure = ({ tokens }: StatesDeps) =>
  action('SendTaskFailure', {
    input: z.strictObject({
      taskToken: z.string().min(1).max(2048),
      error: z.string().max(256).optional(),
      cause: z.string().max(32_768).optional(),
    }),
    run: ({ taskToken, error, cause }) => {
      tokens.fail(taskToken, error, cause);
      return {};
    },
  });
