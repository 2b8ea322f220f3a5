import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { Reading } from '../../review/reading.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { jsonDocument } from './document.ts';

const Reviews = z.object({
  schema: z.literal(1),
  /** Records that a review has shown to people, by their identity: without the model's answer and the label, or with them. */
  blind: z.array(z.string()),
  shown: z.array(z.string()),
  /** Those that a blind review drew by lot from all mistakes, or from all right answers. */
  drawn: z.array(z.string()),
  /** The answers that came back. */
  readings: z.array(Reading),
});
type Reviews = z.infer<typeof Reviews>;

/**
 * Reviews of a run's predictions. They are stored with the run that made the predictions, in a place that no drop can write to: a
 * column of a label file could claim anything about the origin of its labels.
 */
export const reviewsJson = jsonDocument({ key: bucketLayout.reviews, schema: Reviews, write: 'exchange' });

/** Adds to the reviews of a run; two at once both count. */
export async function addToReviews(
  store: ObjectStore,
  run: RunParts,
  added: Partial<Omit<Reviews, 'schema'>>,
): Promise<void> {
  const document = reviewsJson(run);
  for (;;) {
    const found = await document.open(store);
    const { blind = [], shown = [], drawn = [], readings = [] } = found?.value ?? {};
    const next: Reviews = {
      schema: 1,
      blind: [...new Set([...blind, ...(added.blind ?? [])])],
      shown: [...new Set([...shown, ...(added.shown ?? [])])],
      drawn: [...new Set([...drawn, ...(added.drawn ?? [])])],
      readings: [...readings, ...(added.readings ?? [])],
    };
    const isDone =
      found === undefined
        ? await document.create(store, next)
        : await document.replace(store, next, found.etag);
    if (isDone) return;
  }
}
