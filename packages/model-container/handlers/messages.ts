import * as z from 'zod';
import { FIELD_VALUE, STATUS } from '../python-process/http-answer.ts';
import type { Frame } from '../python-process/python-frames.ts';

/** Messages to a process that runs the script, each in a frame with `body` as its body. */
export type ToInterpreter =
  | {
      readonly kind: 'invoke';
      readonly id: number;
      readonly body: Uint8Array;
      /** JSON array of the handler context's fields, but for the content length, which differs with each request. */
      readonly context: string;
    }
  | { readonly kind: 'served'; readonly id: number; readonly status: number; readonly body: string }
  /** No `served` will follow for this request. */
  | { readonly kind: 'forget'; readonly id: number }
  /** To a `call`. */
  | { readonly kind: 'reply'; readonly status: number; readonly body: string };

const Header = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal(['ready', 'waits', 'computes']) }),
  z.strictObject({
    kind: z.literal('refused'),
    reason: z.string(),
    needsPython: z.boolean().optional(),
    alternative: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('log'), line: z.string() }),
  z.strictObject({ kind: z.literal('call'), method: z.string(), path: z.string() }),
  z.strictObject({ kind: z.literal('serve'), id: z.int() }),
  z.strictObject({
    kind: z.literal('answer'),
    id: z.int(),
    status: STATUS,
    contentType: z.string().regex(FIELD_VALUE).nullish(),
  }),
]);

/**
 * Messages of such a process. The user's code can send them as well: their form is checked here, their order by the
 * receiver.
 *
 * - `ready`: the script is loaded
 * - `refused`: the script cannot run here; nothing else follows
 * - `waits`, `computes`: code of a request that was handed over waits for another process, and goes on
 * - `call`: a request to the model's REST API that the script makes itself
 * - `serve`: the input handler's result, to be posted to the REST API; the answer comes back as `served`
 */
export type FromInterpreter = z.infer<typeof Header> & { readonly body: Buffer };

/** @throws {z.ZodError} for any other message */
export function toMessage({ header, body }: Frame): FromInterpreter {
  return { ...Header.parse(header), body };
}

/** The header and the body of a frame. */
export function toFrame(message: ToInterpreter): readonly [header: unknown, body: readonly Uint8Array[]] {
  const { body, ...header } = { body: '', ...message };
  return [header, [typeof body === 'string' ? Buffer.from(body) : body]];
}
