import { cutText } from '../text/cut-text.ts';
import type { HttpResponse } from './http-request.ts';

/** Cap on the detail of a problem, which may quote names of inputs and answers of containers; Lambda returns at most 6 MB. */
const MAX_DETAIL_CHARACTERS = 4_000;

/** Kinds of problems, with their status and title; the type of a problem is `urn:inferdrop:problem:<kind>`. */
const KINDS = {
  'invalid-request': [400, 'The request cannot be read'],
  'pipeline-not-opened': [403, 'The token does not open this pipeline'],
  'unknown-pipeline': [404, 'The pipeline does not exist'],
  'no-data': [404, 'There is nothing to train on'],
  'unknown-training': [404, 'The training does not exist'],
  'no-endpoint': [404, 'The pipeline has no endpoint'],
  'unknown-run': [404, 'The run does not exist'],
  'unknown-route': [404, 'The route does not exist'],
  'run-under-way': [409, 'The run has not ended'],
  'nothing-to-rescore': [409, 'The run has no predictions'],
  'nothing-to-continue': [409, 'The run has left nothing to predict'],
  'predictions-expired': [410, 'The predictions have expired'],
  'body-too-large': [413, 'The body or its answer is too large'],
  'unsupported-media-type': [415, 'The content type is not supported'],
  'model-error': [424, 'The model refused the input or failed'],
  'unreadable-answer': [424, 'The answer of the model is not a classification'],
  'internal-error': [500, 'Something went wrong'],
  'endpoint-not-ready': [503, 'The endpoint cannot answer yet'],
  'answer-timeout': [504, 'The model did not answer in time'],
} as const;

/** The kinds of problems of a request or its answer. */
export type ProblemKind = keyof typeof KINDS;

/** A problem as defined by RFC 9457. */
interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
}

/** A request that gets a problem instead of an answer. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  readonly kind: ProblemKind;
  /** Seconds after which a retry may succeed. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether the answer belongs to normal work, such as a model that is being loaded, and rings no alarm. */
  readonly isPlanned: boolean;

  constructor(
    kind: ProblemKind,
    detail: string,
    options: { readonly retryAfterSeconds?: number; readonly isPlanned?: boolean } = {},
  ) {
    super(detail);
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.isPlanned = options.isPlanned ?? false;
  }
}

/** Every status that a problem may have, for the OpenAPI document. */
export const problemStatuses: readonly number[] = [
  ...new Set(Object.values(KINDS).map(([status]) => status)),
];

/** The one JSON shape of every error. */
export function problemResponse({ kind, message, retryAfterSeconds }: RequestProblem): HttpResponse {
  const [status, title] = KINDS[kind];
  const detail = cutText(message, MAX_DETAIL_CHARACTERS);
  const problem: ProblemDetails = { type: `urn:inferdrop:problem:${kind}`, title, status, detail };
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
    body: JSON.stringify(problem),
  };
}
