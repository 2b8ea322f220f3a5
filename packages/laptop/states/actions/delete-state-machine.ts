import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { StatesDeps } from './deps.ts';

/** Idempotent. Running executions go on to their end. */
export const deleteStateMachine = ({ machines }: StatesDeps) =>
  action('DeleteStateMachine', {
    input: z.strictObject({ stateMachineArn: z.string() }),
    run: (input) => {
      machines.delete(input.stateMachineArn);
      return {};
    },
  });
