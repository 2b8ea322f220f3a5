import * as z from 'zod';

/** When a drop counts as complete. */
export const DropSettings = z.strictObject({
  quietSeconds: z.int().min(0).max(86_400).describe('Time without a new file.').default(60),
  maxWaitMinutes: z
    .int()
    .min(1)
    .max(10_080)
    .describe('The run starts at the latest this long after its first file.')
    .default(30),
});
export type DropSettings = z.infer<typeof DropSettings>;
