import * as z from 'zod';
import { DIMENSION_NAME, ImageProperty } from '../slice/dimension.ts';

const name = z
  .string()
  .regex(DIMENSION_NAME, 'must be small letters, digits and underscores, such as site')
  .describe('Name of the dimension in report, gate and the column slice_<name> of the rows.');

/** A property by which a report tells the records of a run apart. */
export const SliceSource = z.discriminatedUnion('from', [
  z.strictObject({
    from: z.literal('folder'),
    level: z.int().min(1).max(50).describe('Folder of the key below the drop: 1 is the first.'),
    name,
  }),
  z.strictObject({
    from: z.literal('key'),
    pattern: z
      .string()
      .min(1)
      .describe(
        'RE2 regular expression, searched anywhere in the key, of at most 500 characters; each named group, as in ' +
          '(?P<site>[a-z]+), is a dimension.',
      ),
  }),
  z.strictObject({
    from: z.literal('file'),
    column: z
      .string()
      .min(1)
      .max(200)
      .describe('Column, or field, of the label file that labels.truth names.'),
    name,
  }),
  z.strictObject({
    from: z.literal('image'),
    property: ImageProperty.describe(
      'Sides in pixels and the mean luma (0..255) are put into buckets. Each input is read once more; for brightness it is decoded.',
    ),
    name,
  }),
]);
export type SliceSource = z.infer<typeof SliceSource>;

/** Labeled records below which a slice has no verdict: 30 right answers of 30 prove an accuracy of 90.5 % at 95 % confidence. */
export const MIN_SLICE_INPUTS = 30;

/** Bound of a slice. */
export const SliceBound = z.strictObject({
  minAccuracy: z
    .number()
    .min(0)
    .max(1)
    .describe('Smallest accuracy of the slice that passes, as a share of 1.'),
  minInputs: z
    .int()
    .min(1)
    .describe('Labeled records of the slice below which there is no verdict on it.')
    .default(MIN_SLICE_INPUTS),
});
export type SliceBound = z.infer<typeof SliceBound>;
