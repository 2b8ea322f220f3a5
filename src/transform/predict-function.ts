/**
 * Memory of the function that predicts for runs of engine lambda, unless parameter PredictMemory says otherwise: enough for one
 * whole vCPU.
 */
export const PREDICT_MEMORY_MB = 1769;
/** Its time-out, as infra/batch/functions.yml has it. What one that has died was at is done again, which is no more than this. */
export const PREDICT_TIMEOUT_MS = 300_000;
/** The name of its memory in `pricesUsd` of a plan (instances go by their types): the price of one GB for an hour. */
export const MEMORY_HOUR = 'lambda GB';

/** Memory of the functions that predict, as `forEngine` has it for the stack. */
export function functionMemoryMB({
  memoryMB = PREDICT_MEMORY_MB,
}: object & { readonly memoryMB?: number }): number {
  return memoryMB;
}

/** Bundles that a function answers in turn, at most: what a batch costs besides is small next to five bundles. */
const MOST_BUNDLES = 5;
/** Batches for each function that may run at once, at least, so that all functions have work until the end. */
const BATCHES_A_FUNCTION = 4;

/** Bundles in a batch of a job; one if there are few bundles. */
export function batchSize(bundles: number, maxConcurrency: number): number {
  return Math.max(1, Math.min(MOST_BUNDLES, Math.floor(bundles / (BATCHES_A_FUNCTION * maxConcurrency))));
}
