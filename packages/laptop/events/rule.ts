import * as z from 'zod';

/** Where a rule sends its events, as PutTargets has it. */
export const Target = z.strictObject({
  Id: z.string().regex(/^[\w.-]{1,64}$/),
  Arn: z.string().regex(/^arn:/, 'must be an ARN'),
  /** Role that it assumes for the delivery. */
  RoleArn: z.string().optional(),
  Input: z.string().optional(),
  InputPath: z.string().optional(),
  InputTransformer: z
    .strictObject({
      InputPathsMap: z.record(z.string(), z.string()).default({}),
      InputTemplate: z.string().min(1),
    })
    .optional(),
  RetryPolicy: z
    .strictObject({
      MaximumRetryAttempts: z.number().int().min(0).max(185).default(185),
      MaximumEventAgeInSeconds: z.number().int().min(60).max(86_400).default(86_400),
    })
    .optional(),
  DeadLetterConfig: z.strictObject({ Arn: z.string().optional() }).optional(),
});
export type Target = z.infer<typeof Target>;

/** A rule of the default bus, as it is stored. */
export const Rule = z.object({
  name: z.string(),
  description: z.string().optional(),
  /** JSON text, as it came. */
  eventPattern: z.string().optional(),
  scheduleExpression: z.string().optional(),
  enabled: z.boolean(),
  roleArn: z.string().optional(),
  targets: z.array(Target),
});
export type Rule = z.infer<typeof Rule>;
