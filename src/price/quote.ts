import { roundUsd } from './round-usd.ts';

/** The properties of a job that its duration depends on. */
export interface Work {
  readonly objects: number;
  readonly bytes: number;
  readonly instanceCount: number;
  /** Requests in flight on each instance. */
  readonly maxConcurrentTransforms: number;
  /** Inputs of a request, at the most; 1 by default. */
  readonly inputsPerRequest?: number | undefined;
  /** Figures that a probe or a pilot has measured, instead of the assumptions. */
  readonly measured?: MeasuredFigures | undefined;
}

/** Figures of jobs with the same settings. */
interface MeasuredFigures {
  /** Inputs that one instance answers in a second. */
  readonly inputsPerSecond: number;
  /** Seconds from the first that is billed to the first answer. */
  readonly startupSeconds: number;
}

/** Billing starts when the instances are up; then the container loads the model. */
export const STARTUP_SECONDS = 60;
/** Seconds that one request with one image takes through a handler and a network of ResNet-50's size on a CPU. */
export const SECONDS_PER_OBJECT = 0.1;
/** Cap on the requests that are worked on at once: beyond a container's workers, requests only wait. */
const WORKING_REQUESTS = 8;
/** Bytes that an instance or a function reads from S3 in a second. */
export const BYTES_PER_SECOND = 50_000_000;

/**
 * Seconds that a job is quoted at, before any money is spent: by measurements, else by a rule of thumb. The real cost of a run is
 * measured while it runs.
 */
export function quoteSeconds(work: Work): number {
  const { objects, bytes, instanceCount, measured } = work;
  const seconds =
    (measured?.startupSeconds ?? STARTUP_SECONDS) +
    objects / (inputsPerSecond(work, requestsEach(work)) * instanceCount) +
    bytes / (bytesPerSecond(work) * instanceCount);
  return Math.ceil(seconds);
}

/** Expected inputs a second of an instance with `requests` to work on. */
export function inputsPerSecond(
  { maxConcurrentTransforms, measured }: Pick<Work, 'maxConcurrentTransforms' | 'measured'>,
  requests = Infinity,
): number {
  const working = Math.min(maxConcurrentTransforms, WORKING_REQUESTS, Math.max(1, requests));
  return measured?.inputsPerSecond ?? working / SECONDS_PER_OBJECT;
}

/** Requests of a job on each of its instances: bundles, if inputs go in bundles. */
function requestsEach({ objects, instanceCount, inputsPerRequest = 1 }: Work): number {
  return Math.ceil(objects / inputsPerRequest / instanceCount);
}

/** Bytes that an instance reads in a second; a measured speed includes the reading. */
function bytesPerSecond({ measured }: Work): number {
  return measured === undefined ? BYTES_PER_SECOND : Infinity;
}

/** Objects that fit into a number of quoted seconds, at least one. */
export function objectsWithin(seconds: number, work: Work): number {
  const perObject = 1 / (inputsPerSecond(work) * work.instanceCount);
  const bytesEach = work.objects === 0 ? 0 : work.bytes / work.objects;
  const bytesSeconds = bytesEach / (bytesPerSecond(work) * work.instanceCount);
  const startup = work.measured?.startupSeconds ?? STARTUP_SECONDS;
  return Math.max(1, Math.floor((seconds - startup) / (perObject + bytesSeconds)));
}

/** Cost in US dollars of running `instanceCount` instances for `seconds`. */
export function costUsd(seconds: number, instanceCount: number, usdPerHour: number): number {
  return roundUsd((seconds * instanceCount * usdPerHour) / 3600);
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
