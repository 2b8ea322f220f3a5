import * as z from 'zod';

/** What the report shows beyond its fixed parts. */
export const ReportSettings = z.strictObject({
  topK: z
    .array(z.int().min(1).max(1000))
    .min(1)
    .max(10)
    .describe('The k of each top-k accuracy shown.')
    .default([1, 5]),
});
export type ReportSettings = z.infer<typeof ReportSettings>;
