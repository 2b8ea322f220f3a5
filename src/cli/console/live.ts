import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beginEvents, toProblem } from './answer.ts';

/** Longest silence of a stream, so that the page notices a broken connection. */
const SILENCE_MS = 15_000;
/** Longest wait after an error: 1, 2, 4 … s. */
const MAX_RETRY_MS = 30_000;

/**
 * Sends what `look` returns as server-sent events, each time that it has changed, until the page goes away or `isOver` says that nothing
 * will change any more. Where `hasMore` says that the look was a first one, the next follows at once. An error is an event of its own, and
 * the next look follows later each time.
 */
export async function stream<T>(
  response: ServerResponse,
  look: () => Promise<T>,
  {
    intervalMs,
    isOver = () => false,
    hasMore = () => false,
  }: {
    readonly intervalMs: number;
    readonly isOver?: (value: T) => boolean;
    readonly hasMore?: (value: T) => boolean;
  },
): Promise<void> {
  beginEvents(response);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  let sent = '';
  let silentMs = 0;
  let retryMs = intervalMs;
  while (!gone.signal.aborted) {
    const seen = await look().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const waitMs =
      'value' in seen ? intervalMs : (retryMs = Math.min(MAX_RETRY_MS, Math.max(1_000, retryMs * 2)));
    if ('value' in seen) retryMs = intervalMs / 2;
    const [event, data] =
      'value' in seen ? ['seen', seen.value] : ['lost', { ...toProblem(seen.error), retryMs: waitMs }];
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    silentMs += waitMs;
    if (text !== sent || silentMs > SILENCE_MS) {
      response.write(text);
      sent = text;
      silentMs = 0;
    }
    if ('value' in seen && isOver(seen.value)) break;
    if ('value' in seen && hasMore(seen.value)) continue;
    await sleep(waitMs, undefined, { signal: gone.signal }).catch(() => undefined);
  }
  response.end('event: over\ndata: {}\n\n');
}
