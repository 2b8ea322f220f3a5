import type { ServerResponse } from 'node:http';
import { problemResponse, RequestProblem } from '../../api/problem-details.ts';
import { Condition } from '../../problem/conditions.ts';
import { Refusal } from '../refusal.ts';
import { isLostConnection } from '../runs/finish-run.ts';
import { UsageError } from '../usage-error.ts';

/** Policy of the pages, which may load the console's own files, and images that the person has chosen. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; frame-src " +
  "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A report has its own policy in its page; here it gets an origin of its own, and only the console may frame it. */
const REPORT_POLICY = "sandbox allow-scripts allow-popups allow-downloads; frame-ancestors 'self'";

/** Headers of every answer. */
const GUARDS = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** Answers with a page, or a file of it. */
export function sendFile(
  response: ServerResponse,
  { contentType, body }: { readonly contentType: string; readonly body: string | Uint8Array },
  status = 200,
): void {
  response.writeHead(status, {
    ...GUARDS,
    'content-type': contentType,
    'content-security-policy': PAGE_POLICY,
  });
  response.end(body);
}

/** Style of a report within a page of the console, which shows the name of the run itself and has its own margins. */
const FRAMED =
  '<style>.kicker{display:none}main,header,footer{padding-left:0;padding-right:0}header{padding-top:10px}</style>';

/**
 * Tells the page around a report how high it is, so that only that page scrolls. It stands before the report's own policy, which allows no
 * script but the report's.
 */
const TELL_HEIGHT =
  '<script>new ResizeObserver(([{ target }]) => parent.postMessage({ reportHeight: ' +
  "Math.ceil(target.getBoundingClientRect().height) }, '*')).observe(document.documentElement)</script>";

/** Answers with a stored report that has no access to the console; `framed` fits it into a page. */
export function sendReport(response: ServerResponse, page: string, framed: boolean): void {
  const body = framed
    ? page.replace('<head>', `<head>${TELL_HEIGHT}`).replace('</head>', `${FRAMED}</head>`)
    : page;
  response.writeHead(200, {
    ...GUARDS,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': REPORT_POLICY,
  });
  response.end(body);
}

/** Answers with a value as JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  sendFile(response, { contentType: 'application/json', body: JSON.stringify(value) }, status);
}

/** Begins a stream of server-sent events. */
export function beginEvents(response: ServerResponse): void {
  response.writeHead(200, {
    ...GUARDS,
    'content-type': 'text/event-stream',
    'content-security-policy': PAGE_POLICY,
  });
}

/** Names of errors of credentials that are missing, wrong or no longer valid. */
const OF_CREDENTIALS = new Set([
  'CredentialsProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidAccessKeyId',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
]);

/** Words for an error of a request: the command line's, and whether the stack is gone. */
export function toProblem(error: unknown): {
  readonly status: number;
  readonly kind: string;
  readonly detail: string;
} {
  if (error instanceof RequestProblem)
    return { status: problemResponse(error).statusCode, kind: error.kind, detail: error.message };
  if (error instanceof Refusal || error instanceof UsageError)
    return { status: 400, kind: 'refused', detail: error.message };
  if (isLostConnection(error))
    return { status: 502, kind: 'stack-gone', detail: 'the stack does not answer' };
  const name = error instanceof Error ? error.name : '';
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof Condition) return { status: 409, kind: error.name, detail };
  if (OF_CREDENTIALS.has(name)) return { status: 403, kind: 'credentials', detail: renewal(name) };
  if (name === 'AccessDenied') return { status: 403, kind: 'access-denied', detail };
  return { status: 500, kind: 'internal-error', detail: `${name}: ${detail}` };
}

function renewal(name: string): string {
  return (
    `AWS does not accept your credentials (${name}). Renew them, for example with aws sso login; if they stand in the ` +
    'environment, start the console again with new ones.'
  );
}

/** Answers with an error; once the head is sent, breaking the connection is the only signal left. */
export function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, ...problem } = toProblem(error);
  sendJson(response, problem, status);
}
