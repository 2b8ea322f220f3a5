import * as z from 'zod';
import { isRepetition } from '../run/generation.ts';
import { RunId, type RunParts } from '../run/run-id.ts';
import { ManifestEntry } from './manifest-entry.ts';

/** One version of a file. */
export const CoveredVersion = ManifestEntry.pick({ key: true, etag: true, lastModified: true });

/** A part of a sorted list, stored under a unique name and never changed. */
export const Slice = z.object({
  object: z.string(),
  /** The last key in it. */
  through: z.string(),
});
export type Slice = z.infer<typeof Slice>;

/** The model that a run judges instead of the pipeline's own. */
export const Candidate = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The training that the run is started by. */
  training: z.string(),
  /** The run to compare with; null if the pipeline has no model yet. */
  baseline: RunId.nullable(),
  /** US dollars that the training's cap leaves the run; null if it has no bound. */
  maxCostUsd: z.number().positive().nullable(),
});
export type Candidate = z.infer<typeof Candidate>;

/** A run that a probe measures: a sample of its drop with other settings, without a message. */
export const Trial = z.object({
  /** Inputs that are drawn. */
  inputs: z.int().min(1),
  /** Fields of `transform` that replace the pipeline's own. */
  transform: z.object({
    instanceTypes: z.array(z.string()).min(1),
    maxConcurrentTransforms: z.int().min(1),
    /** Absent if requests are as large as their inputs need. */
    maxPayloadInMB: z.int().min(1).optional(),
  }),
  /** US dollars that the probe has left for it. */
  maxCostUsd: z.number().positive(),
});
export type Trial = z.infer<typeof Trial>;

/**
 * Where a generation comes from: from its drop, or from the manifest of another run of it.
 *
 * - `rerun`: everything again, with today's configuration
 * - `replay`: everything again, with the other run's plan
 * - `rescore`: today's configuration, and the predictions that the other run has paid for
 * - `continue`: the same, and predictions of the inputs that the other run has not drawn
 */
const Origin = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('drop') }),
  z.object({ mode: z.enum(['rerun', 'replay', 'continue']), of: RunId }),
  z.object({
    mode: z.literal('rescore'),
    of: RunId,
    /** SHA-256 of everything that judges the predictions; the ETag of the label file if its arrival started the run. */
    judgedBy: z.string(),
  }),
]);
type Origin = z.infer<typeof Origin>;

/** One defect of a file that a person wrote. */
export const DropProblem = z.object({
  file: z.string(),
  field: z.string(),
  value: z.unknown(),
  message: z.string(),
});
export type DropProblem = z.infer<typeof DropProblem>;

/**
 * `frozen.json`: written once for a generation; every reader obeys it.
 *
 * With it a manifest exists: the slices it names never change, and `manifest.jsonl` is copied from them.
 */
export const Frozen = z.object({
  schema: z.literal(1),
  /** `abandoned`: no files were taken in; the next generation takes them. */
  status: z.enum(['frozen', 'abandoned']),
  /** Why it was abandoned; a generation that was canceled, or refused for the day, opens no other. */
  reason: z.enum(['died', 'canceled', 'refused']).optional(),
  objects: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  largestObjectBytes: z.number().int().nonnegative(),
  emptyObjects: z.number().int().nonnegative(),
  /** Objects that may have inputs as members. */
  tars: z.int().nonnegative(),
  sourceBucket: z.string(),
  sourcePrefix: z.string(),
  frozenAt: z.iso.datetime(),
  /** The slices that `manifest.jsonl` is copied from. */
  manifestSlices: z.array(Slice),
  /** Every version seen by this or an earlier generation. Stored under `state/`, which has no expiration. */
  coveredSlices: z.array(Slice),
  /** Files that are not inputs, and the first of their keys. */
  hidden: z.object({ count: z.int().positive(), first: z.array(z.string()) }).optional(),
  /** Defects of the drop's own files, so that there is nothing to run. */
  problems: z.array(DropProblem).optional(),
  /** The newest version of job.json with stated inputs that this or an earlier generation had. */
  statedBy: CoveredVersion.optional(),
  origin: Origin,
  candidate: Candidate.optional(),
  trial: Trial.optional(),
});
export type Frozen = z.infer<typeof Frozen>;

/** Whether the files of an abandoned generation wait for a person, who opens the next one by uploading a file again. */
export function staysShut({ reason }: Pick<Frozen, 'reason'>): boolean {
  return reason === 'canceled' || reason === 'refused';
}

/** Whether labels that arrived after the predictions started a run: a rescore that nobody asked for by name. */
export function isOfLateLabels(run: RunParts, { origin }: Pick<Frozen, 'origin'>): boolean {
  return origin.mode === 'rescore' && !isRepetition(run.generation);
}

/** The `frozen.json` of a generation that took nothing in. */
export function toAbandoned(
  reason: 'died' | 'canceled' | 'refused',
  source: { readonly bucket: string; readonly prefix: string },
  at: Date,
): Frozen {
  return {
    schema: 1,
    status: 'abandoned',
    reason,
    objects: 0,
    bytes: 0,
    largestObjectBytes: 0,
    emptyObjects: 0,
    tars: 0,
    sourceBucket: source.bucket,
    sourcePrefix: source.prefix,
    frozenAt: at.toISOString(),
    manifestSlices: [],
    coveredSlices: [],
    origin: { mode: 'drop' },
  };
}

/** The first of the runs that repeat each other; a rerun of this one has its manifest. @param own name of this run */
export function firstOf(origin: Origin, own: string): string {
  return origin.mode === 'drop' ? own : origin.of;
}
