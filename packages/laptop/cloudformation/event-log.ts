import { randomUUID } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import type { StackEvent, StackRecord, StackResource, StackStatus } from './stack-record.ts';

/** Events of one operation on a stack, for `DescribeStackEvents`. */
export interface EventLog {
  /** Events of this operation only. */
  readonly events: readonly StackEvent[];
  /** Events of earlier operations and this one. */
  readonly all: StackEvent[];
  stack(status: StackStatus, reason?: string): void;
  resource(
    resource: Pick<StackResource, 'logicalId' | 'type' | 'physicalId'>,
    status: string,
    reason?: string,
  ): void;
}

/**
 * Begins the log of one operation, after the stack's `earlier` events. Ids of resource events are `<logicalId>-<status>-<time>`, with
 * the time moved on by milliseconds where the stack has such an id already.
 */
export function openEventLog(
  { stackName, stackId }: Pick<StackRecord, 'stackName' | 'stackId'>,
  earlier: readonly StackEvent[],
  clock: Clock,
): EventLog {
  const all = [...earlier];
  const taken = new Set(earlier.map(({ eventId }) => eventId));
  const uniqueId = (stem: string): string => {
    let at = clock.now();
    while (taken.has(`${stem}-${new Date(at).toISOString()}`)) at += 1;
    const id = `${stem}-${new Date(at).toISOString()}`;
    taken.add(id);
    return id;
  };
  const put = (event: Omit<StackEvent, 'atMs' | 'reason'>, reason: string | undefined): void =>
    void all.push({ ...event, ...(reason !== undefined && { reason }), atMs: clock.now() });
  return {
    all,
    get events() {
      return all.slice(earlier.length);
    },
    stack(status, reason) {
      const type = 'AWS::CloudFormation::Stack';
      put({ eventId: randomUUID(), logicalId: stackName, type, physicalId: stackId, status }, reason);
    },
    resource({ logicalId, type, physicalId }, status, reason) {
      put({ eventId: uniqueId(`${logicalId}-${status}`), logicalId, type, physicalId, status }, reason);
    },
  };
}

/** An error as people read it in an event. */
export function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
