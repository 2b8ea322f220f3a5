import { bucketLayout } from '../../run/bucket-layout.ts';
import { ShardProgress } from '../../transform/shard-progress.ts';
import { jsonDocument } from './document.ts';

/** How far the function is with a bundle. Only the function writes it, before each range of inputs that it tries. */
export const shardProgress = jsonDocument({
  key: bucketLayout.shardProgress,
  schema: ShardProgress,
  write: 'replace',
});
