import type { HttpRequest } from './http-request.ts';
import { RequestProblem } from './problem-details.ts';

/**
 * The pipelines that a request's token opens. The claim of this name lists them, or has `*` for all, as a list or as one text separated by
 * spaces or commas. If no claim is configured, every caller that API Gateway lets in may use every pipeline; a token without the claim
 * opens none.
 */
export function openedPipelines(
  { requestContext }: Pick<HttpRequest, 'requestContext'>,
  claim: string,
): (pipeline: string) => boolean {
  if (claim === '') return () => true;
  const claims = requestContext.authorizer?.jwt?.claims ?? {};
  const text = Object.hasOwn(claims, claim) ? (claims[claim] ?? '') : '';
  // API Gateway serializes a list as `[a b]`.
  const [, list = text] = /^\[(.*)\]$/s.exec(text) ?? [];
  const names = new Set(list.split(/[\s,]+/));
  return (pipeline) => names.has('*') || names.has(pipeline);
}

/** @throws {RequestProblem} `pipeline-not-opened`, whether such a pipeline exists or not */
export function requireOpened(request: HttpRequest, claim: string, pipeline: string): void {
  if (openedPipelines(request, claim)(pipeline)) return;
  throw new RequestProblem(
    'pipeline-not-opened',
    `the claim ${claim} of the token does not name ${pipeline}: ask the issuer of your tokens to add it`,
  );
}
