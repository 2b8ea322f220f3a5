import * as z from 'zod';

/** Largest sample: PlanRun keeps a number of 8 bytes for each draw. */
const MAX_SAMPLE = 1_000_000;

/** A random part of a drop that a run predicts instead of all of it. */
export const SampleSettings = z.strictObject({
  inputs: z
    .int()
    .min(1)
    .max(MAX_SAMPLE)
    .describe('Inputs that are drawn at random and predicted; a drop of no more than these is taken whole.'),
  by: z
    .enum(['class', 'folder', 'none'])
    .describe(
      'Draws from each class (by its label) or folder in proportion to its size, and at least two from each class; ' +
        '`none` draws from all alike.',
    )
    .default('none'),
});
export type SampleSettings = z.infer<typeof SampleSettings>;
