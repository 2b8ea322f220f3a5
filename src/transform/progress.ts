/** Cap on the objects with outputs that are listed and counted; above it, a sample of them is looked up. */
export const EXACT_OBJECTS = 20_000;
/** Size of the sample of inputs of a large job. */
export const SAMPLE_SIZE = 200;

/** Progress of a run: inputs that have an output, of all inputs. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** True if `done` is an estimate, to be shown with ≈. */
  readonly approximate: boolean;
}

/** Progress of a run from the share of sampled inputs that have an output, plus the work of earlier jobs. */
export function estimateProgress(
  sample: { readonly found: number; readonly of: number },
  { objects, before, total }: { readonly objects: number; readonly before: number; readonly total: number },
): Progress {
  const share = sample.of === 0 ? 0 : sample.found / sample.of;
  return { done: Math.min(total, before + Math.round(share * objects)), total, approximate: true };
}

/** Seconds until all inputs of a job have an output, if they go on coming as they have; Infinity where none has come. */
export function secondsLeft(
  {
    startedAt,
    outputsBefore,
    objects,
  }: {
    readonly startedAt?: string | undefined;
    readonly outputsBefore: number;
    readonly objects: number;
  },
  { done }: Progress,
  now: Date,
): number {
  const own = done - outputsBefore;
  const seconds = startedAt === undefined ? 0 : (now.getTime() - Date.parse(startedAt)) / 1_000;
  return own > 0 && seconds > 0 ? Math.max(0, ((objects - own) * seconds) / own) : Infinity;
}

/** Whether the index-th of `count` inputs is one of the sample, which is spread evenly. */
export function isSampled(index: number, count: number): boolean {
  if (count <= EXACT_OBJECTS) return false;
  return Math.floor((index * SAMPLE_SIZE) / count) !== Math.floor(((index - 1) * SAMPLE_SIZE) / count);
}
