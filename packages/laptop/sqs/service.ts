import { jsonService } from '../kernel/json-service.ts';
import type { QueueSender } from '../kernel/ports.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { queueActions } from './actions/queues.ts';
import { receiveActions } from './actions/receive.ts';
import { sendActions } from './actions/send.ts';
import type { Queue } from './queue.ts';
import type { MessageAttributes } from './queue-message.ts';
import { QueueStore } from './queue-store.ts';
import { queueResources } from './resources.ts';
import { toSqsRefusal } from './sqs-error.ts';

/** Queues as the services next to them use them, by ARN. */
export interface QueueAccess extends QueueSender {
  /** @throws {AwsError} `QueueDoesNotExist` */
  open(queueArn: string): Queue;
}

/** SQS: standard queues. Opens those kept in `dir`. */
export function createQueues(deps: ServiceBase & { readonly newId?: () => string }) {
  const store = new QueueStore(deps);
  const { site } = deps;
  const service = jsonService({
    name: 'sqs',
    target: 'AmazonSQS',
    version: '1.0',
    validationCode: 'InvalidParameterValue',
    toRefusal: toSqsRefusal,
    actions: [...queueActions(store, site), ...sendActions(store), ...receiveActions(store, site)],
    close: () => store.close(),
  });
  const queues: QueueAccess = {
    async send(arn, body, attributes = {}) {
      await store.send(nameIn(arn), { body, attributes: asStrings(attributes) });
    },
    open: (arn) => store.queue(nameIn(arn)),
  };
  return {
    service,
    queues,
    resources: queueResources(store, site),
    policyOn(arn: string) {
      const record = store.record(nameIn(arn));
      return record && (record.settings.recorded['Policy'] || null);
    },
  };
}

function nameIn(arn: string): string {
  return arn.split(':').at(-1) ?? '';
}

function asStrings(attributes: Readonly<Record<string, string>>): MessageAttributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
  );
}
