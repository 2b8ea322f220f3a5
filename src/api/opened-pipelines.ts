import * as z from 'zod';
import type { HttpRequest } from './http-request.ts';
import { RequestProblem } from './problem-details.ts';

/**
 * The pipelines that a request's token opens. The claim of this name lists them, or has `*` for all, as a list or as one text separated by
 * spaces or commas. If no claim is configured, every caller that API Gateway lets in may use every pipeline; a token without the claim
 * opens none.
 */
export function openedPipelines(
  request: Pick<HttpRequest, 'requestContext' | 'headers'>,
  claim: string,
): (pipeline: string) => boolean {
  if (claim === '') return () => true;
  const value = claimsOf(request).get(claim);
  const names = new Set(
    typeof value === 'string' ? value.split(/[\s,]+/) : Array.isArray(value) ? value : [],
  );
  return (pipeline) => names.has('*') || names.has(pipeline);
}

/**
 * The claims of the token that API Gateway has verified. It hands lists over as text, `[a b]`, in which the one name
 * `a b` can't be told from two, so they're read from the token itself.
 */
function claimsOf({ requestContext, headers }: Parameters<typeof openedPipelines>[0]): Map<string, unknown> {
  const [, payload] = /^(?:Bearer +)?[\w-]+\.([\w-]+)\.[\w-]+$/i.exec(headers['authorization'] ?? '') ?? [];
  if (!requestContext.authorizer?.jwt || payload === undefined) return new Map();
  return new Map(Object.entries(Claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))));
}

const Claims = z.record(z.string(), z.unknown());

/** @throws {RequestProblem} `pipeline-not-opened`, whether such a pipeline exists or not */
export function requireOpened(request: HttpRequest, claim: string, pipeline: string): void {
  if (openedPipelines(request, claim)(pipeline)) return;
  throw new RequestProblem(
    'pipeline-not-opened',
    `the claim ${claim} of the token does not name ${pipeline}: ask the issuer of your tokens to add it`,
  );
}
