import * as z from 'zod';

/** A topic, as it is stored. */
export const Topic = z.object({
  arn: z.string(),
  name: z.string(),
  /** DisplayName works; the rest (policy, key, tracing) is recorded. */
  attributes: z.record(z.string(), z.string()),
});

/** A topic, as it is stored. */
export type Topic = z.infer<typeof Topic>;

/** A subscription, as it is stored. */
export const Subscription = z.object({
  arn: z.string(),
  topicArn: z.string(),
  protocol: z.enum(['email', 'email-json', 'http', 'https', 'sqs', 'lambda']),
  endpoint: z.string(),
  /** An HTTP endpoint confirms with the token it was sent; every other kind is confirmed from the start. */
  confirmed: z.boolean(),
  token: z.string(),
  filterPolicy: z.string().optional(),
  filterScope: z.enum(['MessageAttributes', 'MessageBody']).default('MessageAttributes'),
  raw: z.boolean().default(false),
  deadLetterArn: z.string().optional(),
  /** Attributes without effect here, kept as they came. */
  recorded: z.record(z.string(), z.string()).default({}),
});

/** A subscription, as it is stored. */
export type Subscription = z.infer<typeof Subscription>;
