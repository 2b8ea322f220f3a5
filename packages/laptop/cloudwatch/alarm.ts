import * as z from 'zod';

/** An alarm as a template or PutMetricAlarm has it. */
export const Alarm = z.object({
  name: z.string(),
  arn: z.string(),
  /** Properties under their CloudFormation names, which DescribeAlarms shares. */
  properties: z.record(z.string(), z.unknown()),
  updatedMs: z.number(),
  /** State given by SetAlarmState, and until when it stands: the next evaluation takes its place. */
  forced: z
    .object({ state: z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']), reason: z.string(), untilMs: z.number() })
    .optional(),
});

export type Alarm = z.infer<typeof Alarm>;
