import * as z from 'zod';

/** What a run may cost and how long it may take: past it no job is started, past 120 % of it the running job is stopped. */
export const LimitSettings = z.strictObject({
  maxCostUsd: z
    .number()
    .positive()
    .describe('US dollars a run may cost. Null: no bound.')
    .nullable()
    .default(null),
  /** Three days: an execution has 25,000 events, and two weeks with all its waiting. */
  maxRuntimeMinutes: z
    .number()
    .positive()
    .max(4_320)
    .describe(
      'Minutes from the first job on that a run may take, and before it that it waits for an instance.',
    )
    .default(240),
  pilot: z
    .union([z.literal('auto'), z.int().min(0).max(1_000)])
    .describe(
      'Inputs that go first, in a job of their own: the rest is paid for only where their answers can be read. "auto": 20 where the jobs ' +
        'are quoted at more than ten minutes. 0: none.',
    )
    .default('auto'),
  inputsPerShard: z
    .int()
    .min(1)
    .max(5_000)
    .describe('Inputs whose outputs one function reads; fewer where outputs are slow to read.')
    .default(5_000),
});
export type LimitSettings = z.infer<typeof LimitSettings>;
