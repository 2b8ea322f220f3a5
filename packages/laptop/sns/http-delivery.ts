import { isIP } from 'node:net';
import type { Clock } from '../kernel/clock.ts';
import { invalid } from './topic-message.ts';

const TIMEOUT_MS = 15_000;

/** @throws {AwsError} `InvalidParameter` for a URL of another protocol or another machine than this one */
export function requireLoopback(protocol: 'http' | 'https', endpoint: string): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url?.protocol !== `${protocol}:`)
    throw invalid(`Endpoint must match the specified protocol ${protocol}, is ${endpoint}`);
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  if (host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))) return;
  throw invalid(`Endpoint ${endpoint}: this stack sends to this machine only (localhost, 127.0.0.0/8, ::1)`);
}

/**
 * Posts one notification.
 *
 * @throws {Error} if the endpoint does not answer with 2xx within 15 seconds
 */
export async function postNotification(
  endpoint: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<void> {
  const abort = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () =>
    abort.abort(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)),
  );
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: abort.signal,
      headers: {
        'content-type': 'text/plain; charset=UTF-8',
        'user-agent': 'Amazon Simple Notification Service Agent',
        ...headers,
      },
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${endpoint} answered ${response.status}`);
  } finally {
    cancel();
  }
}
