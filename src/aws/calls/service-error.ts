import * as z from 'zod';
import { namedError } from './aws-error.ts';
import type { HttpAnswer } from './exchange.ts';

const Said = z.object({
  __type: z.string().optional(),
  code: z.string().optional(),
  message: z.string().optional(),
  Message: z.string().optional(),
});

/** The error of a service of the REST JSON protocol, under the name that the SDK would give it. */
export function toServiceError({ status, headers, body }: HttpAnswer): Error {
  const said = Said.safeParse(jsonOf(body)).data ?? {};
  const header = headers['x-amzn-errortype'];
  const type = (typeof header === 'string' ? header : undefined) ?? said.code ?? said.__type;
  // `ModelError:http://internal.amazon.com/…`, and `com.amazonaws.sagemakerruntime#ModelError` in a body.
  const name = type?.split(':')[0]?.split('#').at(-1) ?? 'UnknownError';
  const message = said.message ?? said.Message ?? `the service answered ${status}`;
  return Object.assign(namedError(name, message), { $metadata: { httpStatusCode: status } });
}

/** The value of a body, or undefined if it is not JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
