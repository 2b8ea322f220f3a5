import * as z from 'zod';

/** An alarm as the template has it; nothing evaluates it. */
export const Alarm = z.object({
  name: z.string(),
  arn: z.string(),
  /** As in CloudFormation, which names members as DescribeAlarms does. */
  properties: z.record(z.string(), z.unknown()),
  updatedMs: z.number(),
});

/** An alarm as the template has it; nothing evaluates it. */
export type Alarm = z.infer<typeof Alarm>;
