/** The properties of a job that its duration depends on. */
export interface Work {
  readonly objects: number;
  readonly bytes: number;
  readonly instanceCount: number;
  /** Requests in flight on each instance. */
  readonly maxConcurrentTransforms: number;
}

/** Billing starts when the instances are up; then the container loads the model. */
export const STARTUP_SECONDS = 60;
/** Seconds that one request with one image takes through a handler and a network of ResNet-50's size on a CPU. */
const SECONDS_PER_OBJECT = 0.1;
/** Cap on the requests that are worked on at once: beyond a container's workers, requests only wait. */
const WORKING_REQUESTS = 8;
const BYTES_PER_SECOND = 50_000_000;

/**
 * Seconds that a job is quoted at: a rule of thumb, given before any money is spent. The real cost of a run is measured while it
 * runs.
 */
export function quoteSeconds({ objects, bytes, instanceCount, maxConcurrentTransforms }: Work): number {
  const lanes = instanceCount * Math.min(maxConcurrentTransforms, WORKING_REQUESTS);
  const seconds =
    STARTUP_SECONDS + (objects * SECONDS_PER_OBJECT) / lanes + bytes / (BYTES_PER_SECOND * instanceCount);
  return Math.ceil(seconds);
}

/** Objects that fit into a number of quoted seconds, at least one. */
export function objectsWithin(seconds: number, work: Work): number {
  const perObject = (quoteSeconds({ ...work, objects: 1_000_000, bytes: 0 }) - STARTUP_SECONDS) / 1_000_000;
  const bytesEach = work.objects === 0 ? 0 : work.bytes / work.objects;
  const bytesSeconds = bytesEach / (BYTES_PER_SECOND * work.instanceCount);
  return Math.max(1, Math.floor((seconds - STARTUP_SECONDS) / (perObject + bytesSeconds)));
}

/** Cost in US dollars of running `instanceCount` instances for `seconds`. */
export function costUsd(seconds: number, instanceCount: number, usdPerHour: number): number {
  return Math.round(((seconds * instanceCount * usdPerHour) / 3600) * 10_000) / 10_000;
}

/** US dollars that jobs cost together; null as soon as the cost of one is not known. */
export function totalCostUsd(jobs: readonly { readonly costUsd: number | null }[]): number | null {
  let totalUsd = 0;
  for (const job of jobs) {
    if (job.costUsd === null) return null;
    totalUsd += job.costUsd;
  }
  return totalUsd;
}
