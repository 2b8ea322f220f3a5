import type { ImageProperty } from './dimension.ts';

/** Facts that a file shows of its image. */
export interface ImageFacts {
  readonly format: string;
  /** Pixels as stored, whatever the orientation that Exif asks for; undefined if the header does not say it. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Mean luma of all pixels (ITU-R BT.601), 0 black to 255 white; undefined if it was not measured or the file is damaged. */
  readonly brightness?: number | undefined;
  /** Whether the time for measuring brightness was over before the image's turn came. */
  readonly isLate?: boolean;
}

/** Lower limits of the buckets of a side in pixels: each is twice as long as the one before. */
const SIDES = [0, 64, 128, 256, 512, 1024, 2048, 4096] as const;
/** Lower limits of the buckets of brightness: four of the same width. */
const BRIGHTNESSES = [0, 64, 128, 192, 256] as const;

/** Brightness of the images for which there was no time. */
const NOT_MEASURED = 'not measured';

const FORMATS = ['jpeg', 'png', 'gif', 'bmp', 'webp', 'jpeg xl'] as const;

/** All values that a property of images can have. */
export const IMAGE_VALUES: Readonly<Record<ImageProperty, readonly string[]>> = {
  width: SIDES.map((low, at) => bucketName(low, SIDES[at + 1])),
  height: SIDES.map((low, at) => bucketName(low, SIDES[at + 1])),
  format: FORMATS,
  brightness: [
    ...BRIGHTNESSES.slice(0, -1).map((low, at) => bucketName(low, BRIGHTNESSES[at + 1])),
    NOT_MEASURED,
  ],
};

/** The value of an image, the name of its bucket where the property is a number; undefined if it is not known. */
export function imageValue(property: ImageProperty, facts: ImageFacts): string | undefined {
  if (property === 'brightness' && facts.isLate === true) return NOT_MEASURED;
  if (property === 'format') return facts.format.toLowerCase();
  const figure = facts[property];
  if (figure === undefined) return undefined;
  const ends = property === 'brightness' ? BRIGHTNESSES : SIDES;
  const at = ends.findLastIndex((low) => figure >= low);
  return IMAGE_VALUES[property][at];
}

/** `64-127`; `4096 or more` for the last. */
function bucketName(low: number, next: number | undefined): string {
  return next === undefined ? `${low} or more` : `${low}-${next - 1}`;
}
