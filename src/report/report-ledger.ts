import * as z from 'zod';

const Count = z.int().nonnegative();

/** The records of a run as its verdict counts them. */
export const ReportLedger = z.object({
  asked: Count.describe('Records that the model had to answer, without those that were trained on.'),
  distinct: Count.describe('The ones that are no copies.'),
  labeled: Count.describe('Distinct records with a label, answered or not: the denominator of every bound.'),
  answered: Count.describe('Labeled records with a usable answer.'),
  right: Count,
  setAside: Count.describe('Records that were trained on, which do not count.'),
  uncounted: Count.describe(
    'Files that were lost whole, with an unknown number of records: without them there is no verdict.',
  ),
  copies: Count.nullable().describe(
    'Records of files with the content of another one; null if the files do not show it, as under a KMS key.',
  ),
  clusters: z
    .object({
      noun: z.string(),
      count: Count.describe('Groups of report.clusters, about.'),
      effective: z.number().nonnegative().describe('Independent records that the labeled ones are worth.'),
    })
    .nullable()
    .describe('Null without report.clusters.'),
});
export type ReportLedger = z.infer<typeof ReportLedger>;
