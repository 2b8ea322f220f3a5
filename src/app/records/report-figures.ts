import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

const Figures = z.object({
  status: z.string(),
  total: z.int().nonnegative(),
  correct: z.int().nullable(),
  errors: z.int(),
  accuracy: z.number().nullable(),
  costUsd: z.number().nonnegative().nullable(),
  gate: z.object({
    verdict: z.enum(['passed', 'failed', 'none']),
    explanation: z.string(),
    isSet: z.boolean(),
  }),
  /** Inputs, or records, without a usable prediction. */
  errorsByReason: z.record(z.string(), z.int().nonnegative()),
});

/** Cost of a run, the same in the reports of every kind of run. */
export const reportCost = jsonDocument({
  key: bucketLayout.reportJson,
  schema: Figures.pick({ costUsd: true }),
  write: 'replace',
});

/**
 * The main figures of a report. Apart from {@link reportJson}, so that the function of the API does
 * not carry the schema of a whole report.
 */
export const reportFigures = jsonDocument({
  key: bucketLayout.reportJson,
  schema: Figures,
  write: 'replace',
});
