import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { jsonOrUndefined } from '../kernel/json.ts';
import type { InvokeResult } from '../kernel/ports.ts';
import type { FrontRequest } from '../kernel/service.ts';
import { GatewayRefusal } from './gateway-refusal.ts';

/** The caller's answer. */
export interface ProxyAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Text is handed over as such, for Node then writes it in one piece with the head. */
  readonly body: Buffer | string;
}

const Scalar = z.union([z.string(), z.number(), z.boolean()]);
const StatusCode = z.int().min(100).max(599);

const Structured = z.object({
  statusCode: z.union([StatusCode, z.string().regex(/^\d+$/).transform(Number).pipe(StatusCode)]),
  headers: z.record(z.string(), Scalar).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: Scalar.nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/**
 * Reads a function's result by the rules of payload format 2.0: an object with `statusCode` is the whole answer, anything else is
 * the JSON body of a 200.
 *
 * @throws {GatewayRefusal} 500 if the function failed, or its answer is malformed
 */
export function toProxyAnswer({ payload, functionError }: InvokeResult): ProxyAnswer {
  const text = payload.toString('utf8');
  if (functionError !== undefined) throw new GatewayRefusal(500, `the function failed: ${text}`);
  const result = jsonOrUndefined(text);
  if (result === undefined) throw new GatewayRefusal(500, 'the function answered no JSON');
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) {
    const body = typeof result === 'string' ? result : text;
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
  }
  const parsed = Structured.safeParse(result);
  if (!parsed.success)
    throw new GatewayRefusal(
      500,
      `the function's answer is not of payload format 2.0: ${z.prettifyError(parsed.error)}`,
    );
  const { statusCode, headers, cookies, isBase64Encoded } = parsed.data;
  const said = String(parsed.data.body ?? '');
  const body = isBase64Encoded === true ? Buffer.from(said, 'base64') : said;
  return {
    statusCode,
    headers: {
      ...(body.length > 0 && { 'content-type': 'text/plain;charset=UTF-8' }),
      ...lowerCased(headers ?? {}),
      ...(cookies && cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body,
  };
}

/** Headers that the HTTP server sets; a function's values are ignored. */
const FORBIDDEN = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

function lowerCased(headers: Readonly<Record<string, z.infer<typeof Scalar>>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (!FORBIDDEN.has(name)) kept[name] = String(value);
  }
  return kept;
}

/** Writes an answer to the caller; what is left of a refused body is not taken for the next request. */
export function sendAnswer(response: ServerResponse, request: FrontRequest, answer: ProxyAnswer): void {
  const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304;
  response.writeHead(answer.statusCode, {
    ...answer.headers,
    ...(hasBody && { 'content-length': Buffer.byteLength(answer.body) }),
    'apigw-requestid': request.requestId,
  });
  response.end(hasBody && request.method !== 'HEAD' ? answer.body : undefined);
  // What a refused caller still sends must not be taken for the next request.
  if (answer.statusCode === 413) request.incoming.resume();
  if (answer.statusCode === 408) response.once('finish', () => request.incoming.destroy());
}
