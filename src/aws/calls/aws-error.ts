import type { ConditionName } from '../../problem/conditions.ts';

/** Names that services give to the same condition; names not listed here are kept. */
const COMMON_NAMES: Readonly<Record<string, ConditionName>> = {
  ThrottlingException: 'Throttled',
  Throttling: 'Throttled',
  ThrottledException: 'Throttled',
  TooManyRequestsException: 'Throttled',
  RequestLimitExceeded: 'Throttled',
  KMSThrottlingException: 'Throttled',
  InternalFailure: 'InternalError',
  InternalErrorException: 'InternalError',
  InternalServerError: 'InternalError',
  InternalServerException: 'InternalError',
  ServiceUnavailableException: 'ServiceUnavailable',
  AccessDeniedException: 'AccessDenied',
  AuthorizationErrorException: 'AccessDenied',
  Forbidden: 'AccessDenied',
  ResourceNotFound: 'NotFound',
  ResourceNotFoundException: 'NotFound',
  NotFoundException: 'NotFound',
  RequestTimeTooSkewed: 'ClockSkewed',
  RequestExpired: 'ClockSkewed',
};

/** Responses to HEAD have no body, so the SDK knows only their status. */
const NAMELESS = /^(Unknown|UnknownError|\d{3})$/;

/** Node's codes for connections that could not be made or broke; all are transient. */
const NETWORK_CODES = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Awaits a request and renames its error, so that callers, and `ErrorEquals` in the state machines, match one name per condition. */
export async function withErrorNames<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw renamed(error);
  }
}

/** Awaits a request about something that may be missing, and then need not be done. */
export async function unlessGone(request: Promise<unknown>): Promise<void> {
  try {
    await withErrorNames(request);
  } catch (error) {
    if (!isNamed(error, 'ObjectNotFoundException', 'NotFound')) throw error;
  }
}

/** An error of this name, which Step Functions' `ErrorEquals` matches. */
export function namedError(name: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { name });
}

/** HTTP status of an SDK's error, if it has one. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  const metadata = error.$metadata;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
}

/** Whether it is an error of one of these names: services' own, or the common ones after {@link withErrorNames}. */
export function isNamed(error: unknown, ...names: string[]): error is Error {
  return error instanceof Error && names.includes(error.name);
}

function renamed(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const name = commonName(error);
  return name === undefined ? error : namedError(name, error.message, error);
}

function commonName(error: Error): ConditionName | undefined {
  // A connection that breaks while a body is read throws Node's own error, and its name says nothing.
  if (error.name === 'Error' && 'code' in error && NETWORK_CODES.has(String(error.code)))
    return 'NetworkingError';
  // A sandbox that was frozen between signing and sending, or has a jumping clock, sends a signature with the wrong time.
  if (error.name === 'InvalidSignatureException' && /expired|not yet current/.test(error.message))
    return 'ClockSkewed';
  if (!NAMELESS.test(error.name)) return COMMON_NAMES[error.name];
  const status = statusOf(error) ?? 0;
  if (status === 403) return 'AccessDenied';
  return status >= 500 ? 'ServiceUnavailable' : undefined;
}
