import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { Shard } from '../../transform/shard-cutter.ts';
import { jsonDocument } from './document.ts';

/** The stretches of reconciled.jsonl that are folded each by a Lambda; the Distributed Map reads them, too. */
export const shardsJson = jsonDocument({
  key: bucketLayout.shards,
  schema: z.array(Shard).readonly(),
  write: 'replace',
  indent: 2,
});
