import * as z from 'zod';
import { Report } from '../../report/report.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

const report = { key: bucketLayout.reportJson, write: 'replace' } as const;

/** The report of a run. */
export const reportJson = jsonDocument({ ...report, schema: Report });

const Figures = z.object({
  status: z.string(),
  total: z.int().nonnegative(),
  correct: z.int().nullable(),
  errors: z.int(),
  accuracy: z.number().nullable(),
  costUsd: z.number().nonnegative().nullable(),
  gate: z.object({ verdict: z.enum(['passed', 'failed', 'none']), explanation: z.string() }),
});

/** What a report comes to: reports of older releases say that, too, and a function that asks for it carries no more. */
export const reportFigures = jsonDocument({ ...report, schema: Figures });
