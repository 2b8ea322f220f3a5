import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** Where a generation took its files from. Apart from the whole document, so that the function of the API does not carry its schema. */
export const frozenSource = jsonDocument({
  key: bucketLayout.frozen,
  schema: z.object({ objects: z.number(), sourceBucket: z.string(), sourcePrefix: z.string() }),
  write: 'once',
});
