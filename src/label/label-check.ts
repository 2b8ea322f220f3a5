import * as z from 'zod';

/** Meanings that a number in a label may have: a class's name, or its place in `labels.classes`, counted from 0 or from 1. */
export const NUMBERS = ['names', 'index', 'index-from-1'] as const;
/** One of them. */
export type Numbers = (typeof NUMBERS)[number];

const Count = z.int().nonnegative();
const Finding = z.object({ count: Count, examples: z.array(z.string()) });
export type Finding = z.infer<typeof Finding>;

/** Defects of a run's labels, found before its first job. */
export const LabelCheck = z.object({
  inputs: Count.describe('Inputs that were checked; records, if labels.truth lies in the records.'),
  isWhole: z.boolean().describe('False where the run has more inputs or records than were checked.'),
  labeled: Count.describe('Number of these that have a label.'),
  noClass: Finding.describe('Labels that labels.classes does not list.'),
  noInput: Finding.describe('Rows of the label file with a key that matches no file.'),
  conflicting: Finding.describe('Keys, or records, that the label file gives two different labels.'),
  unlabeled: Finding.describe('Inputs, or records, without a label.'),
});
export type LabelCheck = z.infer<typeof LabelCheck>;

/** How a run's labels are read, by one rule for all of them. */
export const LabelReading = z.object({
  numbers: z
    .enum(NUMBERS)
    .describe(
      'What a number in a label means: the name of a class, or its place in the list, from 0 or 1 on.',
    ),
  from: z.string().describe('Where the labels are, in words.'),
  hasNumbers: z.boolean().describe('Whether a label is a number.'),
  isSet: z
    .boolean()
    .describe('Whether labels.numbers says how numbers are read; else the labels themselves do.'),
  examples: z
    .array(z.object({ where: z.string(), label: z.string(), class: z.string() }))
    .describe('An input, its label as it is written, and its class.'),
  counts: z.array(Count).describe('Labels of each class, in the order of labels.classes.'),
});
export type LabelReading = z.infer<typeof LabelReading>;
