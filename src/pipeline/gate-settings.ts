import * as z from 'zod';

/** Bounds that decide whether a run passes. */
export const GateSettings = z.strictObject({
  minAccuracy: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Smallest accuracy that passes, as a share of 1.'),
  maxErrorRate: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Largest share of inputs without a usable prediction that passes.'),
});
export type GateSettings = z.infer<typeof GateSettings>;
