import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import { jsonService } from '../kernel/json-service.ts';
import type { ResourcePolicyLookup } from '../kernel/permission.ts';
import type { QueueSender } from '../kernel/ports.ts';
import type { Service, ServiceBase } from '../kernel/service.ts';
import { changeMessageVisibility } from './actions/change-message-visibility.ts';
import { createQueue } from './actions/create-queue.ts';
import { deleteMessage } from './actions/delete-message.ts';
import { deleteMessageBatch } from './actions/delete-message-batch.ts';
import { deleteQueue } from './actions/delete-queue.ts';
import { getQueueAttributes } from './actions/get-queue-attributes.ts';
import { getQueueUrl } from './actions/get-queue-url.ts';
import { listQueues } from './actions/list-queues.ts';
import { purgeQueue } from './actions/purge-queue.ts';
import { receiveMessage } from './actions/receive-message.ts';
import { sendMessage } from './actions/send-message.ts';
import { sendMessageBatch } from './actions/send-message-batch.ts';
import { setQueueAttributes } from './actions/set-queue-attributes.ts';
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

/** SQS: standard queues. */
export interface Queues {
  readonly service: Service;
  readonly queues: QueueAccess;
  readonly resources: ResourceTypes;
  readonly policyOn: ResourcePolicyLookup;
}

/** Opens the queues kept in `dir`. */
export function createQueues(
  deps: ServiceBase & {
    readonly newId?: () => string;
  },
): Queues {
  const store = new QueueStore(deps);
  const { site } = deps;
  const service = jsonService({
    name: 'sqs',
    target: 'AmazonSQS',
    version: '1.0',
    validationCode: 'InvalidParameterValue',
    toRefusal: toSqsRefusal,
    actions: [
      createQueue(store, site),
      deleteQueue(store),
      listQueues(store, site),
      getQueueUrl(store, site),
      getQueueAttributes(store, site),
      setQueueAttributes(store),
      sendMessage(store),
      sendMessageBatch(store),
      receiveMessage(store, site),
      deleteMessage(store),
      deleteMessageBatch(store),
      changeMessageVisibility(store),
      purgeQueue(store),
    ],
    close: () => store.close(),
  });
  return {
    service,
    queues: {
      async send(arn, body, attributes = {}) {
        await store.send(nameIn(arn), { body, attributes: asStrings(attributes) });
      },
      open: (arn) => store.queue(nameIn(arn)),
    },
    resources: queueResources(store, site),
    policyOn(arn) {
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
