import type { Clock } from '../../kernel/clock.ts';
import type { Site } from '../../kernel/service.ts';
import { type EventLog, openEventLog } from '../event-log.ts';
import type { HandlerCall } from '../handlers/handler-actions.ts';
import type { HandledResource } from '../handlers/handler-permissions.ts';
import type { ResourceTypes } from '../resource-type.ts';
import { shownId, type StackRecord, type StackResource, type StackStatus } from '../stack-record.ts';

/** Dependencies of operations on stacks. */
export interface OperationDeps {
  readonly site: Site;
  readonly clock: Clock;
  readonly types: ResourceTypes;
  /** Lets clients see a stack while something is done with it. */
  readonly show: (record: StackRecord) => void;
  /** Id of the stack that already has another resource with this identifier, if any. */
  readonly ownerOf: (
    type: string,
    identifier: Readonly<Record<string, unknown>>,
    except: { readonly stackId: string; readonly logicalId: string },
  ) => string | undefined;
  /**
   * Checks that the operation's caller has the rights for this call on a resource.
   *
   * @throws {AwsError} `AccessDenied`
   */
  readonly requireRights: (call: HandlerCall, resource: HandledResource) => void;
  /** The name of another stack that exports a value under this name. */
  readonly exporterOf: (exportName: string, exceptStackId: string) => string | undefined;
}

/** One operation on a stack while it runs: its events, and the stack as clients see it. */
export interface Operation extends Omit<OperationDeps, 'show'> {
  readonly log: EventLog;
  readonly record: () => StackRecord;
  /** The stack's next status, with its event. */
  status(status: StackStatus, reason?: string, changes?: Partial<StackRecord>): StackRecord;
  /** A resource's next status, with its event; it is part of the stack as soon as it has a physical id. */
  resource(resource: StackResource, status: string, reason?: string): void;
  /** Takes a resource out of the stack. */
  forget(logicalId: string): void;
}

/** How an operation ended; `error` is what it failed of, after its rollback. */
export interface Outcome {
  readonly record: StackRecord;
  /** Events of this operation only. */
  readonly events: EventLog['events'];
  readonly error?: unknown;
}

/** Begins an operation on a stack. Clients see each change at once; what is kept on disk is the record of its outcome. */
export function beginOperation(deps: OperationDeps, earlier: StackRecord): Operation {
  const { clock, show } = deps;
  const log = openEventLog(earlier, earlier.events, clock);
  let record: StackRecord = { ...earlier, events: log.all };
  const put = (changes: Partial<StackRecord>): StackRecord => {
    record = { ...record, ...changes };
    show(record);
    return record;
  };
  return {
    ...deps,
    log,
    record: () => record,
    status(status, reason, changes = {}) {
      log.stack(status, reason);
      const { reason: _, ...rest } = record;
      record = rest;
      return put({ ...changes, status, ...(reason !== undefined && { reason }) });
    },
    resource(resource, status, reason) {
      log.resource({ ...resource, physicalId: shownId(resource) }, status, reason);
      const { reason: _, ...rest } = resource;
      const next = { ...rest, status, atMs: clock.now(), ...(reason !== undefined && { reason }) };
      const at = record.resources.findIndex(({ logicalId }) => logicalId === resource.logicalId);
      put({ resources: at === -1 ? [...record.resources, next] : record.resources.with(at, next) });
    },
    forget(gone) {
      put({ resources: record.resources.filter(({ logicalId }) => logicalId !== gone) });
    },
  };
}
