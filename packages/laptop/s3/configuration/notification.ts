import * as z from 'zod';
import type { BucketConfiguration } from './bucket-configuration.ts';

/** Only EventBridge: a notification to a queue, topic or function is refused as unknown, with its name. */
export const notification: BucketConfiguration<{
  readonly EventBridgeConfiguration?: Record<string, never> | undefined;
}> = {
  subresource: 'notification',
  noun: 'BucketNotificationConfiguration',
  root: 'NotificationConfiguration',
  schema: z.preprocess(
    (value) => (value === '' ? {} : value),
    z.strictObject({
      EventBridgeConfiguration: z
        .preprocess((value) => (value === '' ? {} : value), z.strictObject({}))
        .optional(),
    }),
  ),
  absent: { value: {} },
};
