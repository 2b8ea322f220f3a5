import * as z from 'zod';

/** Form of a dimension's name, which is also the end of a column's name: Athena has small letters alone. */
export const DIMENSION_NAME = /^[a-z][a-z0-9_]{0,39}$/;
const Name = z.string().regex(DIMENSION_NAME);

/** Property of an image that needs no person to look at it. */
export const ImageProperty = z.enum(['width', 'height', 'format', 'brightness']);
export type ImageProperty = z.infer<typeof ImageProperty>;

/** A property by which the records of a run are distinguished, as a plan has it: each group of a pattern is a dimension of its own. */
export const Dimension = z.discriminatedUnion('from', [
  z.object({ from: z.literal('folder'), name: Name, level: z.int().min(1) }),
  z.object({ from: z.literal('key'), name: Name, pattern: z.string() }),
  z.object({ from: z.literal('file'), name: Name, column: z.string() }),
  z.object({ from: z.literal('image'), name: Name, property: ImageProperty }),
]);
export type Dimension = z.infer<typeof Dimension>;

/** Columns of the label file that the dimensions read, in their order. */
export function labelColumns(dimensions: readonly Dimension[]): readonly string[] {
  return dimensions.flatMap((dimension) => (dimension.from === 'file' ? [dimension.column] : []));
}

/** Properties of images that the dimensions read. */
export function imageProperties(dimensions: readonly Dimension[]): readonly ImageProperty[] {
  return dimensions.flatMap((dimension) => (dimension.from === 'image' ? [dimension.property] : []));
}

/** How a run finds the records that are alike, as a plan has it. */
export const Clusters = z.object({
  /** Word for a group, in the singular. */
  noun: z.string(),
  /** Properties that the records of a group have in common; empty if they're the records of one file, or the members of one tar. */
  by: z.array(Dimension),
});
export type Clusters = z.infer<typeof Clusters>;
