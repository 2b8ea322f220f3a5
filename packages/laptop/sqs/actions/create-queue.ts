import * as z from 'zod';
import type { Site } from '../../kernel/service.ts';
import type { QueueStore } from '../queue-store.ts';
import { toQueueUrl } from '../queue-url.ts';

const Input = z.strictObject({
  QueueName: z.string(),
  Attributes: z.record(z.string(), z.string()).default({}),
});

/** `CreateQueue`; the same name and attributes again give the same queue. */
export function createQueue(store: QueueStore, site: Site) {
  return (input: unknown) => {
    const { QueueName, Attributes } = Input.parse(input);
    store.create(QueueName, Attributes);
    return { QueueUrl: toQueueUrl(site, QueueName) };
  };
}
