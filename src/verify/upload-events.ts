import type { Finding } from './finding.ts';

/** An upload and its event. */
export interface SeenUpload {
  readonly key: string;
  /** Undefined where no event arrived. */
  readonly eventKey: string | undefined;
  /** Seconds from the event's own time to LastModified in S3; negative where the event is later. */
  readonly aheadSeconds: number | undefined;
  /** `PutObject`, `CompleteMultipartUpload`, … */
  readonly reason: string | undefined;
}

/** Tolerance of the application between the time of an event and that of a listing. */
const TOLERATED_SECONDS = 15 * 60;

/** Whether events have the keys of their objects unchanged, and the times of their uploads. */
export function judgeUploadEvents(uploads: readonly SeenUpload[]): Finding {
  const lost = uploads.filter(({ eventKey }) => eventKey === undefined);
  const changed = uploads.filter(({ key, eventKey }) => eventKey !== undefined && eventKey !== key);
  const times = uploads.flatMap(({ aheadSeconds }) => aheadSeconds ?? []);
  const reasons = [...new Set(uploads.flatMap(({ reason }) => reason ?? []))];
  const span =
    times.length === 0 ? 'no times' : `${Math.min(...times)} to ${Math.max(...times)} s before LastModified`;
  const answered = `${uploads.length - lost.length} of ${uploads.length} events, ${span}, reason ${reasons.join(' or ') || 'none'}`;
  if (changed.length > 0)
    return {
      answered: `${answered}; ${changed.map(({ key, eventKey }) => `${JSON.stringify(key)} became ${JSON.stringify(eventKey)}`).join(', ')}`,
      verdict: 'failed',
      means:
        'Keys of events have an unexpected encoding: uploads with such names are put into the wrong drop. Use plain names, and report this file.',
    };
  if (lost.length > 0)
    return {
      answered: `${answered}; none for ${lost.map(({ key }) => JSON.stringify(key)).join(', ')}`,
      verdict: 'failed',
      means:
        'A drop of such files does not start until the next upload. Check that the bucket still sends its events to EventBridge.',
    };
  if (times.some((seconds) => Math.abs(seconds) > TOLERATED_SECONDS))
    return {
      answered,
      verdict: 'failed',
      means:
        'Events and objects differ in time by more than the 15 minutes that are tolerated: files could belong to no run. Report this file.',
    };
  return {
    answered,
    verdict: 'ok',
    means: 'Events name objects as they are, and their times fit the listing of a drop.',
  };
}
