import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** An answer of the container to one request. */
export interface InvocationAnswer {
  readonly status: number;
  readonly body: Buffer;
  readonly contentType: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** The container gave no answer: the connection broke, or the time was over. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly timedOut: boolean;

  constructor(message: string, timedOut: boolean) {
    super(message);
    this.timedOut = timedOut;
  }
}

/** Requests to one container. They reject with `NoAnswer`, and with other errors only once the client's signal has been aborted. */
export interface ContainerClient {
  get(path: string, timeoutMs: number): Promise<InvocationAnswer>;
  /** `POST /invocations`, with the body's length unless the headers ask for `transfer-encoding: chunked`. */
  invoke(
    body: Buffer,
    headers: Readonly<Record<string, string>>,
    timeoutMs: number,
  ): Promise<InvocationAnswer>;
  close(): void;
}

/** Speaks to one container, over connections that are kept. */
export function createContainerClient(base: URL, abort: AbortSignal): ContainerClient {
  const agent = new Agent({ keepAlive: true });
  const prefix = base.pathname.replace(/\/$/, '');
  abort.addEventListener('abort', () => agent.destroy(), { once: true });
  const send = (
    method: string,
    path: string,
    headers: Readonly<Record<string, string | number>>,
    body: Buffer | undefined,
    timeoutMs: number,
  ): Promise<InvocationAnswer> =>
    new Promise((resolve, reject) => {
      abort.throwIfAborted();
      const outgoing = request(
        { host: base.hostname, port: base.port, method, path: `${prefix}${path}`, headers, agent },
        (response) => {
          readAnswer(
            response,
            (answer) => {
              clearTimeout(timer);
              resolve(answer);
            },
            fail,
          );
        },
      );
      let timedOut = false;
      const fail = (error: Error): void => {
        clearTimeout(timer);
        reject(abort.aborted ? error : new NoAnswer(error.message, timedOut));
      };
      // The container's time is real time, whatever the stack's clock says: it is another machine to the service.
      const timer = setTimeout(() => {
        timedOut = true;
        outgoing.destroy(new Error(`no answer within ${timeoutMs / 1000} seconds`));
      }, timeoutMs);
      outgoing.on('error', fail);
      outgoing.end(body);
    });
  return {
    get: (path, timeoutMs) => send('GET', path, {}, undefined, timeoutMs),
    invoke: (body, headers, timeoutMs) => {
      const framing = 'transfer-encoding' in headers ? {} : { 'content-length': body.length };
      return send('POST', '/invocations', { ...headers, ...framing }, body, timeoutMs);
    },
    close: () => agent.destroy(),
  };
}

function readAnswer(
  response: IncomingMessage,
  done: (answer: InvocationAnswer) => void,
  fail: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () =>
    done({
      status: response.statusCode ?? 0,
      body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks),
      contentType: response.headers['content-type'],
      headers: response.headers,
    }),
  );
  response.on('error', fail);
}
