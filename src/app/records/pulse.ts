import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** `pulse`: its LastModified is when the newest upload to the drop was accepted. */
const Pulse = z.object({
  schema: z.literal(1),
  /** The generation that the last batch saw shut, so that a drop with thousands of them needs one page of a listing. */
  shut: z.string().optional(),
});

/** Written by accept-drop for each batch with an upload that no listing covers yet, even where its content stays the same. */
export const pulseMark = jsonDocument({ key: bucketLayout.pulse, schema: Pulse, write: 'replace' });
