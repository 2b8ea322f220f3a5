import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { Shard } from '../../transform/shard-cutter.ts';
import { jsonDocument } from './document.ts';

/** Ranges of reconciled.jsonl, each folded by one Lambda; also the items of the Distributed Map. */
export const shardsJson = jsonDocument({
  key: bucketLayout.shards,
  schema: z.array(Shard).readonly(),
  write: 'replace',
  indent: 2,
});
