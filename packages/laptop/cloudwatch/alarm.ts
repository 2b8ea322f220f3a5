import * as z from 'zod';
import { booleanProperty, numberProperty, tagsProperty } from '../cloudformation/property-values.ts';

/** An alarm as CloudFormation and PutMetricAlarm have it. */
export const AlarmProperties = z.strictObject({
  AlarmName: z.string().optional(),
  AlarmDescription: z.string().optional(),
  ActionsEnabled: booleanProperty.optional(),
  AlarmActions: z.array(z.string()).optional(),
  OKActions: z.array(z.string()).optional(),
  InsufficientDataActions: z.array(z.string()).optional(),
  MetricName: z.string().optional(),
  Namespace: z.string().optional(),
  Statistic: z.string().optional(),
  ExtendedStatistic: z.string().optional(),
  Dimensions: z.array(z.strictObject({ Name: z.string(), Value: z.string() })).optional(),
  Period: numberProperty.optional(),
  Unit: z.string().optional(),
  EvaluationPeriods: numberProperty.optional(),
  DatapointsToAlarm: numberProperty.optional(),
  Threshold: numberProperty.optional(),
  ComparisonOperator: z.string().optional(),
  TreatMissingData: z.string().optional(),
  Metrics: z.array(z.unknown()).optional(),
  /** Accepted and not kept. */
  Tags: tagsProperty.optional(),
});

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
