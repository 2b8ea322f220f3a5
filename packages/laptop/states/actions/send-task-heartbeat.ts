import * as z from 'zod';
import type { StatesDeps } from './deps.ts';

const Input = z.strictObject({ taskToken: z.string().min(1).max(2048) });

/** Restarts `HeartbeatSeconds`. */
export function sendTaskHeartbeat({ tokens }: StatesDeps) {
  return (raw: unknown): unknown => {
    tokens.heartbeat(Input.parse(raw).taskToken);
    return {};
  };
}
