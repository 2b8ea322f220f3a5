import * as z from 'zod';

const Count = z.int().nonnegative();
const Finding = z.object({ count: Count, examples: z.array(z.string()) });
export type Finding = z.infer<typeof Finding>;

/** Defects of a run's labels, found before its first job. */
export const LabelCheck = z.object({
  inputs: Count.describe('Inputs that were checked; records, where labels.truth lies in the records.'),
  isWhole: z.boolean().describe('False where the run has more inputs or records than were checked.'),
  labelled: Count.describe('Number of these that have a label.'),
  noClass: Finding.describe('Labels that labels.classes does not list.'),
  noInput: Finding.describe('Rows of the label file whose key matches no file.'),
  conflicting: Finding.describe('Keys, or records, that the label file gives two different labels.'),
  unlabelled: Finding.describe('Inputs, or records, without a label.'),
});
export type LabelCheck = z.infer<typeof LabelCheck>;
