import { PipelineLedger } from '../../plan/pipeline-ledger.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** Runs of a pipeline under way and waiting, and what those of the day cost: every run of the pipeline writes it. */
export const ledgerJson = jsonDocument({
  key: bucketLayout.ledger,
  schema: PipelineLedger,
  write: 'exchange',
  indent: 2,
});
