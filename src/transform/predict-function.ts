/**
 * Memory of the function that predicts for runs of engine lambda, unless parameter PredictMemory says otherwise: that of one
 * whole vCPU.
 */
export const PREDICT_MEMORY_MB = 1769;
/** Its time-out, as infra/batch/functions.yml has it. What one that has died was at is done again, which is no more than this. */
export const PREDICT_TIMEOUT_MS = 300_000;
/** The name of its memory in `pricesUsd` of a plan, where instances go by their types: the price is of one GB for an hour. */
export const MEMORY_HOUR = 'lambda GB';

/** Memory of the functions that predict, as `forEngine` has it for the stack. */
export function functionMemoryMB({
  memoryMB = PREDICT_MEMORY_MB,
}: object & { readonly memoryMB?: number }): number {
  return memoryMB;
}
