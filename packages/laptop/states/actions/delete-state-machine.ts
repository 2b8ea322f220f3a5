import * as z from 'zod';
import type { StatesDeps } from './deps.ts';

const Input = z.strictObject({ stateMachineArn: z.string() });

/** Idempotent. Running executions go on to their end. */
export function deleteStateMachine({ machines }: StatesDeps) {
  return (raw: unknown): unknown => {
    machines.delete(Input.parse(raw).stateMachineArn);
    return {};
  };
}
