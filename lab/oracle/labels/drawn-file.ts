import * as z from 'zod';

/** A drop as draw_labels.py draws it: classes, inputs, a label file, and what its author means. */
export const DrawnFile = z.object({
  id: z.string(),
  family: z.string(),
  style: z.string().nullable(),
  classes: z.array(z.string()),
  inputs: z.array(z.string()),
  /** Index of each input's class; null if its author gives it none. */
  truth: z.array(z.int().nullable()),
  /** Classes that are right as well, by the place of their input. */
  alternatives: z.record(z.string(), z.int()).default({}),
  reading: z.enum(['one', 'two', 'near', 'none']),
  /** Reason why no reader can see it in the file; null if it can be seen. */
  apart: z.string().nullable(),
  /** Statement of the author, if asked. */
  settled: z.object({
    numbers: z.union([z.literal('names'), z.literal(0), z.literal(1)]).nullable(),
    label: z.string().nullable(),
  }),
  file: z.string(),
  /** Null if the labels are folders. */
  bytes: z.base64().nullable(),
});
export type DrawnFile = z.infer<typeof DrawnFile>;
