import type { ContainerWork } from '../frameworks/framework.ts';
import type { Framework } from '../frameworks/framework-name.ts';
import { FRAMEWORKS } from '../frameworks/frameworks.ts';
import { decimal } from '../text/figures.ts';

/** Batch transform refuses more than 100 MB a request, and more than 100 MB in flight on an instance. */
const MAX_MB = 100;
const MAX_CONCURRENT = 64;
/** Whether SageMaker's MB is 10^6 or 2^20 bytes is not documented: the smaller is safe both ways. */
const BYTES_PER_MB = 1_000_000;
/** SageMaker's own default, for records cut out of objects, with sizes unknown in advance. */
const DEFAULT_RECORD_MB = 6;

/** The payload settings of the configuration. */
export interface PayloadSettings {
  readonly maxPayloadInMB: number | 'auto';
  readonly maxConcurrentTransforms: number | 'auto';
  readonly splitType: string;
}

/** The payload settings of a job; their product is at most 100. */
export interface Payload {
  readonly maxPayloadInMB: number;
  readonly maxConcurrentTransforms: number;
  /** Sentences about lowered values. */
  readonly notes: readonly string[];
}

/**
 * Payload from the largest object, then the largest number of requests in flight that fits with it. A number in the settings is
 * an upper bound, and lowering it is noted.
 *
 * @param mostAtOnce requests at once that keep an instance busy
 */
export function resolvePayload(
  settings: PayloadSettings,
  largestObjectBytes: number,
  mostAtOnce = MAX_CONCURRENT,
): Payload {
  const wanted = settings.maxPayloadInMB;
  const needed = neededPayloadMB(settings, largestObjectBytes);
  const maxPayloadInMB = wanted === 'auto' ? needed : Math.min(wanted, needed);
  const fitting = Math.min(
    Math.floor(MAX_MB / maxPayloadInMB),
    settings.maxConcurrentTransforms === 'auto' ? mostAtOnce : MAX_MB,
  );
  const asked = settings.maxConcurrentTransforms;
  const maxConcurrentTransforms = asked === 'auto' ? fitting : Math.min(asked, fitting);
  const notes: string[] = [];
  if (wanted !== 'auto' && maxPayloadInMB < wanted) {
    notes.push(
      `transform.maxPayloadInMB lowered from ${wanted} to ${maxPayloadInMB}: the largest object has ${megabytes(largestObjectBytes)} MB`,
    );
  }
  if (asked !== 'auto' && maxConcurrentTransforms < asked) {
    notes.push(
      `transform.maxConcurrentTransforms lowered from ${asked} to ${maxConcurrentTransforms}: ` +
        `times maxPayloadInMB ${maxPayloadInMB} it must stay within ${MAX_MB}`,
    );
  }
  return { maxPayloadInMB, maxConcurrentTransforms, notes };
}

/** Size in bytes beyond which an object never reaches the model; null if objects are cut into records. */
export function largestAllowedBytes({ maxPayloadInMB, splitType }: PayloadSettings): number | null {
  if (splitType !== 'None') return null;
  return (maxPayloadInMB === 'auto' ? MAX_MB : maxPayloadInMB) * BYTES_PER_MB;
}

/** Size in bytes beyond which a line of an object never reaches the model. */
export function largestLineBytes({ maxPayloadInMB }: Pick<PayloadSettings, 'maxPayloadInMB'>): number {
  return (maxPayloadInMB === 'auto' ? DEFAULT_RECORD_MB : maxPayloadInMB) * BYTES_PER_MB;
}

function neededPayloadMB({ splitType, maxPayloadInMB }: PayloadSettings, largestObjectBytes: number): number {
  if (splitType !== 'None') return maxPayloadInMB === 'auto' ? DEFAULT_RECORD_MB : maxPayloadInMB;
  return Math.min(MAX_MB, Math.max(1, Math.ceil(largestObjectBytes / BYTES_PER_MB)));
}

function megabytes(bytes: number): string {
  return decimal(bytes / BYTES_PER_MB, 1);
}

/**
 * Environment variables that raise the container's own limits to the transform settings: gunicorn stops a request after 30 s, nginx and
 * TorchServe after 60 s, and TorchServe refuses more than 6.5 MB, even if SageMaker allows it. Variables that the pipeline sets are kept.
 */
export function containerLimits(
  work: ContainerWork & { readonly framework: Framework },
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const limits = FRAMEWORKS[work.framework].limits(work);
  return Object.fromEntries(Object.entries(limits).filter(([name]) => given[name] === undefined));
}
