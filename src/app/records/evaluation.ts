import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunId } from '../../run/run-id.ts';
import { jsonDocument } from './document.ts';

/** A run whose name a training has claimed, and when. */
const Asked = z.object({
  run: RunId,
  at: z.iso.datetime(),
  /** False for a run that was there before the training asked for one. */
  isOwn: z.boolean(),
});
export type Asked = z.infer<typeof Asked>;

/** `evaluation.json`: the runs that judge the model of a training. */
const Evaluation = z.object({
  schema: z.literal(1),
  /** The run that judged the model which served when the training was planned. */
  incumbentRun: Asked.nullable(),
  candidateRun: Asked.nullable(),
  /** Inputs of the evaluation that were trained on: those with the same content (ETag and size). */
  trainedOn: z.object({
    count: z.int().nonnegative(),
    /** The first of their keys, among the evaluation's. */
    first: z.array(z.string()),
    /** Inputs of the evaluation that were looked for. */
    compared: z.int().nonnegative(),
  }),
  /** Inputs that the model compared with was trained on; null where no training is known that made it. */
  incumbentTrainedOn: z.object({ training: RunId, count: z.int().nonnegative() }).nullable().default(null),
});
export type Evaluation = z.infer<typeof Evaluation>;

/** Names of runs are claimed in it before the runs start, so that a repeated step starts none twice. */
export const evaluationJson = jsonDocument({
  key: bucketLayout.evaluation,
  schema: Evaluation,
  write: 'exchange',
  indent: 2,
});
