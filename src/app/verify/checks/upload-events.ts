import * as z from 'zod';
import { parsedJson } from '../../../text/parsed-json.ts';
import { objectsUsd, toWholeCents } from '../../../verify/estimates.ts';
import { toProbeName } from '../../../verify/probe-name.ts';
import { judgeUploadEvents } from '../../../verify/upload-events.ts';
import type { Check } from '../check.ts';
import { TEST_INPUTS } from '../test-job.ts';

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
/** A rule takes a while to see events after it was made. */
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
    const giveUpAt = clock().getTime() + MAX_MS;
    while (events.length < NAMES.length && clock().getTime() < giveUpAt) {
      for (const text of await uploads.receive(name)) events.push(UploadEvent.parse(parsedJson(text)));
      if (events.length < NAMES.length) await wait(pollMs);
    }
    // Whose key was changed is found by elimination: what no key matches belongs to a key that nothing matched.
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
