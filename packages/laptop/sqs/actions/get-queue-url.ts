import * as z from 'zod';
import type { Site } from '../../kernel/service.ts';
import type { QueueStore } from '../queue-store.ts';
import { toQueueUrl } from '../queue-url.ts';
import { queueDoesNotExist } from '../sqs-error.ts';

const Input = z.strictObject({ QueueName: z.string() });

/** `GetQueueUrl`. */
export function getQueueUrl(store: QueueStore, site: Site) {
  return (input: unknown) => {
    const { QueueName } = Input.parse(input);
    if (!store.record(QueueName)) throw queueDoesNotExist();
    return { QueueUrl: toQueueUrl(site, QueueName) };
  };
}
