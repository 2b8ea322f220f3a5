import * as z from 'zod';

/** What a run may cost and how long it may take: past it no job is started, past 120 % of it the running job is stopped. */
export const LimitSettings = z.strictObject({
  maxCostUsd: z
    .number()
    .positive()
    .describe('US dollars a run may cost. Null: no bound.')
    .nullable()
    .default(null),
  maxRuntimeMinutes: z.number().positive().max(525_600).describe('Minutes a run may take.').default(240),
});
export type LimitSettings = z.infer<typeof LimitSettings>;
