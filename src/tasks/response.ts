import * as z from 'zod';

/** One of the best classes of an input. */
const RankedClass = z.object({
  label: z
    .string()
    .describe('Name of the class; "#17" if the model names an index outside the pipeline\'s classes.'),
  index: z
    .int()
    .nullable()
    .describe("Index of the class in the pipeline's labels.classes; null for a name that is not among them."),
  score: z.number().nullable().describe('Score of the class; null if the model returns none.'),
});
const input = z.string().nullable().describe('Name of the part of a multipart request; null otherwise.');

/** The class of an input. */
export const LabeledInput = RankedClass.extend({
  input,
  topK: z.array(RankedClass).describe('The best classes, best first; empty if the model gives no scores.'),
});
export type LabeledInput = z.infer<typeof LabeledInput>;

/** The answer for an input of a pipeline with `"labels": null`. */
const AnsweredInput = z.object({ input, answer: z.unknown().describe('The answer of the model.') });

/** The model's answer for one input. */
export const TaskResponse = z.union([LabeledInput, AnsweredInput]);
export type TaskResponse = z.infer<typeof TaskResponse>;
