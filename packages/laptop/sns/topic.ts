import * as z from 'zod';

/** A topic, as it is stored. */
export const Topic = z.object({
  arn: z.string(),
  name: z.string(),
  /** DisplayName works; the rest (policy, key, tracing) is recorded. */
  attributes: z.record(z.string(), z.string()),
});
export type Topic = z.infer<typeof Topic>;

/** A subscription, as it is stored. */
export const Subscription = z.object({
  arn: z.string(),
  topicArn: z.string(),
  protocol: z.enum(['email', 'sqs']),
  endpoint: z.string(),
});

export type Subscription = z.infer<typeof Subscription>;
