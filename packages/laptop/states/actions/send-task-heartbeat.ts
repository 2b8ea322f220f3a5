import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { StatesDeps } from './deps.ts';

/** Restarts `HeartbeatSeconds`. */
export const sendTaskHeartbeat = ({ tokens }: StatesDeps) =>
  action('SendTaskHeartbeat', {
    input: z.strictObject({ taskToken: z.string().min(1).max(2048) }),
    run: (input) => {
      tokens.heartbeat(input.taskToken);
      return {};
    },
  });
