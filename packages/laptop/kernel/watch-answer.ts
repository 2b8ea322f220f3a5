import type { ServerResponse } from 'node:http';

/** An answer as it went out. */
export interface SentAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Answers over this size are bytes of objects, which no model describes. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** Keeps what is written to a response, and hands it over once all of it is. */
export function watchAnswer(response: ServerResponse, onSent: (answer: SentAnswer) => void): void {
  let status = 200;
  const headers: Record<string, string> = {};
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const keep = (chunk: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const bytes = Buffer.from(chunk);
    sizeBytes += bytes.length;
    if (sizeBytes <= MAX_KEPT_BYTES) chunks.push(bytes);
  };
  response.writeHead = new Proxy(response.writeHead, {
    apply(target, self, args: unknown[]) {
      const [code, given] = args;
      status = Number(code);
      for (const [name, value] of Object.entries(given ?? {})) headers[name.toLowerCase()] = String(value);
      return Reflect.apply(target, self, args);
    },
  });
  for (const method of ['write', 'end'] as const) {
    const watched = new Proxy(response[method], {
      apply(target, self, args: unknown[]) {
        keep(args[0]);
        return Reflect.apply(target, self, args);
      },
    });
    Object.assign(response, { [method]: watched });
  }
  response.once('finish', () => {
    if (sizeBytes <= MAX_KEPT_BYTES) onSent({ status, headers, body: Buffer.concat(chunks) });
  });
}
