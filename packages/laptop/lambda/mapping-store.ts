import { join } from 'node:path';
import { AwsError } from '../kernel/aws-error.ts';
import type { RoleSessions } from '../kernel/permission.ts';
import type { FunctionInvoker } from '../kernel/ports.ts';
import type { ServiceBase } from '../kernel/service.ts';
import type { QueueAccess } from '../sqs/service.ts';
import { openDocuments } from '../storage/document-file.ts';
import { EventSourceMapping } from './event-source-mapping.ts';
import type { FunctionStore } from './function-store.ts';
import { QueuePoller } from './queue-poller.ts';
import { requireCall } from './require-call.ts';

/** The event source mappings and their pollers. */
export interface MappingStore {
  /** @throws {AwsError} `InvalidParameterValueException` */
  put(mapping: EventSourceMapping): Promise<void>;
  delete(uuid: string): Promise<void>;
  start(): void;
  /** No further batches; resolves when those on their way have ended. */
  close(): Promise<void>;
}

/** Opens the mappings kept in `dir`. */
export function openMappingStore(
  deps: ServiceBase & {
    readonly store: FunctionStore;
    readonly invoke: FunctionInvoker['invoke'];
    readonly queues: QueueAccess;
    readonly refusalOf: RoleSessions['refusal'];
    readonly report: (line: string) => void;
  },
): MappingStore {
  const documents = openDocuments(join(deps.dir, 'event-source-mappings.json'), EventSourceMapping);
  const pollers = new Map<string, QueuePoller>();
  let started = false;

  const restart = async (uuid: string): Promise<void> => {
    const before = pollers.get(uuid);
    pollers.delete(uuid);
    await before?.stop();
    const mapping = documents.get(uuid);
    if (!started || !mapping?.enabled || pollers.has(uuid)) return;
    const poller = new QueuePoller({
      mapping,
      queue: () => deps.queues.open(mapping.queueArn),
      invoke: (payload) => deps.invoke(mapping.functionTarget, payload),
      site: deps.site,
      clock: deps.clock,
      report: deps.report,
    });
    pollers.set(uuid, poller);
  };
  return {
    put: async (mapping) => {
      check(mapping, deps.queues, deps.store);
      checkRole(mapping, deps);
      const before = documents.get(mapping.uuid);
      if (before && JSON.stringify(before) === JSON.stringify(mapping) && pollers.has(mapping.uuid)) return;
      documents.set(mapping.uuid, mapping);
      await restart(mapping.uuid);
    },
    delete: async (uuid) => {
      documents.delete(uuid);
      await restart(uuid);
    },
    start: () => {
      started = true;
      for (const { uuid } of documents.values()) void restart(uuid);
    },
    close: async () => {
      started = false;
      await Promise.all([...pollers.values()].map((poller) => poller.stop()));
      pollers.clear();
    },
  };
}

/** Checks that Lambda makes when a mapping is made. */
function check(mapping: EventSourceMapping, queues: QueueAccess, store: FunctionStore): void {
  const { batchSize, windowSeconds, maximumConcurrency } = mapping;
  if (!mapping.queueArn.includes(':sqs:'))
    throw invalid(`EventSourceArn ${mapping.queueArn}: this stack maps SQS queues only`);
  if (batchSize < 1 || batchSize > 10_000) throw invalid(`BatchSize must be 1..10000, is ${batchSize}`);
  if (windowSeconds < 0 || windowSeconds > 300)
    throw invalid(`MaximumBatchingWindowInSeconds must be 0..300, is ${windowSeconds}`);
  if (batchSize > 10 && windowSeconds < 1)
    throw invalid(
      `Maximum batch window in seconds must be greater than 0 if maximum batch size is greater than 10, is ${batchSize}`,
    );
  if (maximumConcurrency !== undefined && (maximumConcurrency < 2 || maximumConcurrency > 1000))
    throw invalid(`ScalingConfig.MaximumConcurrency must be 2..1000, is ${maximumConcurrency}`);
  const { visibilityTimeoutSeconds } = queues.open(mapping.queueArn).settings;
  const { timeoutSeconds } = store.config(mapping.functionTarget);
  if (visibilityTimeoutSeconds < timeoutSeconds)
    throw invalid(
      `Queue visibility timeout: ${visibilityTimeoutSeconds} seconds is less than Function timeout: ${timeoutSeconds} seconds`,
    );
}

/** A function reads its queue as its own role. */
function checkRole(
  { queueArn, functionTarget }: EventSourceMapping,
  { store, refusalOf }: { readonly store: FunctionStore; readonly refusalOf: RoleSessions['refusal'] },
): void {
  const { role } = store.config(functionTarget);
  const { name } = store.record(functionTarget);
  for (const call of ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'])
    requireCall(refusalOf, { role, name }, `sqs:${call}`, queueArn);
}

function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterValueException', message, { details: { Type: 'User' } });
}
