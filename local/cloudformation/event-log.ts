import type { Clock } from '../gateway/clock.ts';
import type { StackEvent, StackRecord, StackResource } from './stack-record.ts';

/** What happens in one deployment, for `DescribeStackEvents`. */
export interface EventLog {
  readonly events: StackEvent[];
  stack(status: string, reason?: string): void;
  resource(resource: StackResource, status: string, error?: unknown): void;
}

export function openEventLog(
  { stackName, stackId }: Pick<StackRecord, 'stackName' | 'stackId'>,
  clock: Clock,
): EventLog {
  const events: StackEvent[] = [];
  return {
    events,
    stack(status, reason) {
      events.push({
        logicalId: stackName,
        type: 'AWS::CloudFormation::Stack',
        physicalId: stackId,
        status,
        ...(reason !== undefined && { reason }),
        atMs: clock.now(),
      });
    },
    resource({ logicalId, type, physicalId }, status, error) {
      const reason = error === undefined ? {} : { reason: toReason(error) };
      events.push({ logicalId, type, physicalId, status, ...reason, atMs: clock.now() });
    },
  };
}

/** An error as people read it in an event. */
export function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
