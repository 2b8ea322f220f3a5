import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunId } from '../../run/run-id.ts';
import { jsonDocument } from './document.ts';

/** `registered.json`: the archive that a training made, stored under its digest. */
const Registered = z.object({
  schema: z.literal(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Digest of its files, which a training that is repeated to the byte has again; null if it has links. */
  content: z.string().nullable(),
  bytes: z.int().positive(),
  /** S3 URI of the archive that the job left. */
  artifact: z.string(),
  /** Name of the training job. */
  job: z.string(),
  /** Files of the source that were put below `code/`; empty if the archive has its own handler or the source has no handler. */
  addedCode: z.array(z.string()),
  /** Inputs that have changed since they were frozen: which version the job read is unknown. */
  changedInputs: z.object({
    superseded: z.int().nonnegative(),
    deleted: z.int().nonnegative(),
    /** Files that arrived below a prefix after it had been frozen, and before the job read it. */
    arrived: z.int().nonnegative(),
  }),
});
export type Registered = z.infer<typeof Registered>;

/** Written by register-model; a repetition of the step writes the same. */
export const registeredJson = jsonDocument({
  key: bucketLayout.registered,
  schema: Registered,
  write: 'replace',
  indent: 2,
});

/** A run name that a training has claimed, and when. */
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
    /** Number of inputs of the evaluation that were compared. */
    compared: z.int().nonnegative(),
  }),
  /** Images of the evaluation that look like one that was trained on; null if no input is an image. */
  nearDuplicates: z
    .object({
      count: z.int().nonnegative(),
      /** The first of their keys, each with the key of the training image that it resembles. */
      first: z.array(z.object({ key: z.string(), like: z.string() })),
      /** How many images of the evaluation, and of the training, were compared. */
      judged: z.int().nonnegative(),
      trained: z.int().nonnegative(),
      /** Whether different images of the evaluation look so much alike that near-duplicates were not searched for. */
      isUnclear: z.boolean(),
    })
    .nullable(),
  /** Groups of `report.clusters` that the training also had; null without. */
  sharedGroups: z
    .object({
      /** Word for a group, in the singular. */
      noun: z.string(),
      groups: z.int().nonnegative(),
      first: z.array(z.string()),
      /** Inputs of the evaluation in them that are not among those above. */
      count: z.int().nonnegative(),
      /** Files of the training without a group: what they share is not known. */
      withoutGroup: z.int().nonnegative(),
    })
    .nullable(),
  /** Rows that equal one of the training, in files that it didn't have as a whole; null if files aren't opened as tables. */
  equalRows: z
    .object({
      /** Whether there are more than chance makes, so that they count as trained on. */
      areCopies: z.boolean(),
      equal: z.int().nonnegative(),
      /** Rows that equal another one of the evaluation. */
      repeated: z.int().nonnegative(),
      /** Rows of the training that they were compared with. */
      trained: z.int().nonnegative(),
      /** Files that were not read to their end, the first with the reasons. */
      unread: z.object({ count: z.int().nonnegative(), first: z.array(z.string()) }),
    })
    .nullable(),
  /** Inputs that the incumbent model was trained on; null if the training that made it is not known. */
  incumbentTrainedOn: z.object({ training: RunId, count: z.int().nonnegative() }).nullable(),
});
export type Evaluation = z.infer<typeof Evaluation>;

/** Names of runs are claimed in it before the runs start, so that a repeated step starts none twice. */
export const evaluationJson = jsonDocument({
  key: bucketLayout.evaluation,
  schema: Evaluation,
  write: 'exchange',
  indent: 2,
});
