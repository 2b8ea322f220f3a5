import * as z from 'zod';
import { RunId } from '../run/run-id.ts';
import { Report, ReportJob } from './report.ts';

/** `receipt.json`: everything that produced a run, complete enough to repeat and compare it. */
export const Receipt = z.object({
  schema: z.literal(1),
  run: RunId,
  createdAt: z.iso.datetime(),
  program: z.string().describe('Name and version of the program that wrote this.'),
  status: Report.shape.status,
  plan: z.unknown().describe('plan.json as it was used: model digest, image, settings, labels, prices.'),
  manifest: z
    .object({ key: z.string(), etag: z.string(), sizeBytes: z.int().nonnegative() })
    .nullable()
    .describe('The inputs, each with its ETag: manifest.jsonl.'),
  jobs: z.array(ReportJob),
  figures: z.object({
    total: Report.shape.total,
    records: Report.shape.records,
    correct: Report.shape.correct,
    accuracy: Report.shape.accuracy,
    errors: Report.shape.errors,
  }),
  seconds: Report.shape.seconds,
  costUsd: Report.shape.costUsd,
});
export type Receipt = z.infer<typeof Receipt>;
