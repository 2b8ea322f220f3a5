import * as z from 'zod';

/** A machine's LoggingConfiguration, as the API spells it. */
export const Logging = z.strictObject({
  level: z.enum(['ALL', 'ERROR', 'FATAL', 'OFF']).default('OFF'),
  includeExecutionData: z.boolean().default(false),
  destinations: z
    .array(z.strictObject({ cloudWatchLogsLogGroup: z.strictObject({ logGroupArn: z.string() }) }))
    .default([]),
});
export type Logging = z.infer<typeof Logging>;
