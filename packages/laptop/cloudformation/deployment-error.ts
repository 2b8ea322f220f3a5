import { AwsError } from '../kernel/aws-error.ts';
import { toReason } from './event-log.ts';
import type { Outcome } from './operations/operation.ts';

/** Why a deployment failed, with the resource's name and the stack's state. */
export function toDeploymentError(error: unknown, { record, events }: Outcome): AwsError {
  const failed = events.find((event) => event.status.endsWith('_FAILED'));
  const reason = toReason(error);
  const text =
    failed && !reason.includes(failed.logicalId) ? `${failed.logicalId} (${failed.type}): ${reason}` : reason;
  const undone = events.flatMap((event) =>
    event !== failed && event.status.endsWith('_FAILED') && event.reason !== undefined
      ? [`; not undone: ${event.logicalId}: ${event.reason}`]
      : [],
  );
  const wrapped = new AwsError(
    error instanceof AwsError ? error.code : 'ValidationError',
    `${text} (stack ${record.stackName} is ${record.status} now${undone.join('')})`,
  );
  wrapped.cause = error;
  return wrapped;
}
