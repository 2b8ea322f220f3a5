import * as z from 'zod';
import { PipelineLedger } from '../../plan/pipeline-ledger.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** Runs of a pipeline that are under way or waiting, and the cost of the day's runs: every run of the pipeline writes it. */
export const ledgerJson = jsonDocument({
  key: bucketLayout.ledger,
  schema: PipelineLedger,
  write: 'exchange',
  indent: 2,
});

/** `state/sweep.json`: how far the daily sweep has come. */
const SweepPosition = z.object({
  schema: z.literal(1),
  /** Start of the last complete pass over all drops. */
  lastPassAt: z.iso.datetime().optional(),
  /** The pass that is under way: when it began, and the key after which it continues. */
  pass: z.object({ startedAt: z.iso.datetime(), after: z.string() }).optional(),
});

/** Written by the sweep at its end, also when its time is up. */
export const sweepJson = jsonDocument({
  key: bucketLayout.sweep,
  schema: SweepPosition,
  write: 'replace',
  indent: 2,
});
