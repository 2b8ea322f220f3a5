import * as z from 'zod';
import { Reading } from '../../review/reading.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

const Reviews = z.object({
  schema: z.literal(1),
  /** Records that a review has shown to people, by their identity: without the model's answer and the label, or with them. */
  blind: z.array(z.string()),
  shown: z.array(z.string()),
  /** The answers that came back. */
  readings: z.array(Reading),
});

/**
 * Reviews of the predictions of a run. They lie with the run whose jobs made them, where no drop can write: a column of a label file could say
 * anything of how its labels came about.
 */
export const reviewsJson = jsonDocument({ key: bucketLayout.reviews, schema: Reviews, write: 'exchange' });
