import * as z from 'zod';
import { parsedJson } from '../../../text/parse-json.ts';
import type { Check } from '../check.ts';
import { objectsUsd, toWholeCents } from '../estimates.ts';
import { failed, type Finding, ok } from '../finding.ts';
import { lookUntil } from '../look-until.ts';
import { TEST_INPUTS } from '../probe/job.ts';
import { toProbeName } from '../probe/name.ts';

const NAMES = [
  'plain.txt',
  'with space.txt',
  'plus+sign.txt',
  'per%20cent.txt',
  '"quoted".txt',
  'back\\slash.txt',
  'line\u2028separator.txt',
  'grüße-日本.txt',
];
/** Wait after a rule is made: it takes a while to see events. */
const RULE_MS = 10_000;
const MAX_MS = 120_000;

const UploadEvent = z.object({
  time: z.string(),
  detail: z.object({ object: z.object({ key: z.string() }), reason: z.string().optional() }),
});

/** Events of uploads with odd names, through a rule and a queue of this check's own. */
export const uploadEvents: Check = {
  name: 'upload-events',
  asks: 'How does EventBridge name uploads with odd keys, and how far are event and LastModified apart?',
  usd: toWholeCents(objectsUsd(NAMES.length)),
  run: async ({ stack, store, uploads, id, wait, clock, pollMs }) => {
    const name = toProbeName(stack.name, id);
    const prefix = `${TEST_INPUTS}${id}/events/`;
    await uploads.open(name, { bucket: store.bucket, prefix });
    if (stack.isAws) await wait(RULE_MS);
    for (const file of NAMES) await store.write(prefix + file, file);
    const events: z.infer<typeof UploadEvent>[] = [];
    const receive = async () => {
      for (const text of await uploads.receive(name)) events.push(UploadEvent.parse(parsedJson(text)));
      return events.length >= NAMES.length || undefined;
    };
    await lookUntil(receive, { clock, wait, pollMs, maxMs: MAX_MS });
    // Changed keys are found by elimination: an event that matches no key belongs to a key that no event matched.
    const strange = events.filter(({ detail }) => !NAMES.some((file) => prefix + file === detail.object.key));
    const seen = NAMES.map(async (file) => {
      const key = prefix + file;
      const event = events.find(({ detail }) => detail.object.key === key) ?? strange.shift();
      const modified = (await store.describe(key))?.lastModified;
      return {
        key: file,
        eventKey: event?.detail.object.key.slice(prefix.length),
        aheadSeconds:
          event === undefined || modified === undefined
            ? undefined
            : Math.round((modified.getTime() - Date.parse(event.time)) / 1000),
        reason: event?.detail.reason,
      };
    });
    return judgeUploadEvents(await Promise.all(seen));
  },
};

interface SeenUpload {
  readonly key: string;
  /** Undefined if no event arrived. */
  readonly eventKey: string | undefined;
  /** Seconds from the event's own time to LastModified in S3; negative where the event is later. */
  readonly aheadSeconds: number | undefined;
  /** `PutObject`, `CompleteMultipartUpload`, … */
  readonly reason: string | undefined;
}

/** Tolerance of the application between an event's time and a listing's. */
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
    return failed(
      `${answered}; ${changed.map(({ key, eventKey }) => `${JSON.stringify(key)} became ${JSON.stringify(eventKey)}`).join(', ')}`,
      'Keys of events have an unexpected encoding: uploads with such names are put into the wrong drop. Use plain ' +
        'names, and report this file.',
    );
  if (lost.length > 0)
    return failed(
      `${answered}; none for ${lost.map(({ key }) => JSON.stringify(key)).join(', ')}`,
      'A drop of such files does not start until the next upload. Check that the bucket still sends its events to EventBridge.',
    );
  if (times.some((seconds) => Math.abs(seconds) > TOLERATED_SECONDS))
    return failed(
      answered,
      'Events and objects differ in time by more than the 15 minutes that are tolerated: files could belong to no run. Report this file.',
    );
  return ok(answered, 'Events name objects as they are, and their times fit the listing of a drop.');
}
