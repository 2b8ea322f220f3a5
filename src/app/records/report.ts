import * as z from 'zod';
import { Receipt } from '../../report/receipt.ts';
import { Report } from '../../report/report.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** The report of a run. */
export const reportJson = jsonDocument({ key: bucketLayout.reportJson, schema: Report, write: 'once' });

/** Versions and inputs that made a run, for users and their tools: no step reads it. */
export const receiptJson = jsonDocument({ key: bucketLayout.receipt, schema: Receipt, write: 'replace' });

/** The plan as it was written, for a receipt. */
export const wholePlanJson = jsonDocument({
  key: bucketLayout.plan,
  schema: z.unknown(),
  write: 'elsewhere',
});

/** The part of a judging run's report that the training's report shows. */
export const judgedReportJson = jsonDocument({
  key: bucketLayout.reportJson,
  schema: Report.pick({
    total: true,
    accuracy: true,
    costUsd: true,
    gate: true,
    comparison: true,
    classes: true,
    suspectLabels: true,
  }),
  write: 'elsewhere',
});
