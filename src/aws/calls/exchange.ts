import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { PlainRequest } from './sign-request.ts';

/** A whole answer, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Timeout: no service of AWS takes longer to begin its answer. */
const SILENCE_MS = 70_000;

const agents = {
  'http:': new HttpAgent({ keepAlive: true }),
  'https:': new HttpsAgent({ keepAlive: true }),
} as const;

/** Error codes of a kept connection that the other side closed while it was idle. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Sends a request over a keep-alive connection and reads the answer. Rejects with `AbortError` at the signal, else with Node's own
 * error. A kept connection that turns out to be closed is replaced: after minutes of being frozen a Lambda has only closed ones.
 */
export async function exchange(request: PlainRequest, signal?: AbortSignal): Promise<HttpAnswer> {
  const agent = agents[request.url.protocol === 'https:' ? 'https:' : 'http:'];
  let wasClosed = false;
  try {
    return await send(request, signal, () => (wasClosed = true));
  } catch (error) {
    if (!wasClosed) throw error;
    for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    return send(request, signal, () => undefined);
  }
}

function send(
  { method, url, headers, body }: PlainRequest,
  signal: AbortSignal | undefined,
  foundClosed: () => void,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const outgoing = (isSecure ? httpsRequest : httpRequest)(url, {
      method,
      agent: agents[isSecure ? 'https:' : 'http:'],
      headers: { ...headers, 'content-length': body?.length ?? 0 },
      ...(signal && { signal }),
    });
    let hasAnswer = false;
    outgoing.on('response', (response) => {
      hasAnswer = true;
      readAnswer(response).then(resolve, reject);
    });
    outgoing.on('error', (error) => {
      const code = 'code' in error ? String(error.code) : '';
      if (outgoing.reusedSocket && !hasAnswer && CLOSED.has(code)) foundClosed();
      reject(error);
    });
    outgoing.setTimeout(SILENCE_MS, () => {
      const message = `${url.host} did not answer for ${SILENCE_MS / 1000} seconds`;
      outgoing.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
    });
    outgoing.end(body);
  });
}

function readAnswer(response: IncomingMessage): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
    );
  });
}
