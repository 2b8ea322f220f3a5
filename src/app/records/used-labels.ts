import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

const Truth = z.object({ from: z.string(), path: z.string().nullish() });
const UsedLabels = z.object({ labels: z.object({ truth: Truth.nullable(), etag: z.string().nullable() }) });
export type UsedLabels = z.infer<typeof UsedLabels>;

/** Which labels a run was judged by: read from its plan, without the schema of a whole one. */
export const usedLabelsJson = jsonDocument({
  key: bucketLayout.plan,
  schema: UsedLabels,
  write: 'elsewhere',
});
