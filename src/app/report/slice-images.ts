import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { NOT_ASKED } from '../../metric/count-outcome.ts';
import { HEADER_BYTES } from '../../plan/judge/image-slices.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { imageProperties } from '../../slice/dimension.ts';
import type { ImageFacts } from '../../slice/slice-values.ts';
import { readInput } from '../records/open-input.ts';
import type { ShardEntry } from '../records/reconciled.ts';

/** Cap on the bytes of an image that is read whole; a larger one has no brightness. */
const MAX_BYTES = 32 * 2 ** 20;

/** Time for measuring the brightness of a shard's images, which a few made for the purpose could fill; the function has 15 minutes. */
const MEASURING_MS = 600_000;

/** Looks at a file's image; undefined for another file. @param decodes whether its brightness is measured, for which it must be whole */
type ImageFactsOf = (file: Uint8Array, decodes: boolean) => ImageFacts | undefined;

/** Services by which a shard's images are read. */
export interface SliceImagesServices {
  readonly store: ObjectStore;
  readonly imageFacts: ImageFactsOf;
  readonly clock: () => Date;
}

/** The facts of an input that its dimensions need; undefined if it's no image, or no longer there. */
export type LookAtImage = (entry: ShardEntry) => Promise<ImageFacts | undefined>;

/** Reads the facts of each input that the plan's dimensions need; undefined if they need no images. Its time begins with the call. */
export function sliceImages(
  { store, imageFacts, clock }: SliceImagesServices,
  { report, input }: ScoringPlan,
): LookAtImage | undefined {
  const properties = imageProperties(report.slices);
  if (properties.length === 0) return undefined;
  const inputs = store.in(input.bucket);
  const measuresLight = properties.includes('brightness');
  const needsSize = properties.includes('width') || properties.includes('height');
  const deadline = clock().getTime() + MEASURING_MS;
  return async (entry) => {
    // What the model didn't have to answer counts in no slice.
    if (entry.output === undefined && NOT_ASKED.has(entry.error ?? '')) return undefined;
    const isLate = measuresLight && clock().getTime() >= deadline;
    const decodes = measuresLight && !isLate && entry.size <= MAX_BYTES;
    const seen = await lookAt(entry, decodes ? entry.size : HEADER_BYTES, decodes);
    const facts = seen && { ...seen, isLate };
    // A photograph may have a preview of any length before the header of its own frame.
    const isCut = needsSize && facts !== undefined && facts.width === undefined && !decodes;
    return isCut && entry.size > HEADER_BYTES && entry.size <= MAX_BYTES
      ? { ...facts, ...(await lookAt(entry, entry.size, false)) }
      : facts;
  };

  async function lookAt(entry: ShardEntry, bytes: number, decodes: boolean): Promise<ImageFacts | undefined> {
    const end = Math.min(bytes, entry.size);
    const file = end === 0 ? undefined : await readInput(inputs, entry, { start: 0, end });
    return file && imageFacts(file, decodes);
  }
}
