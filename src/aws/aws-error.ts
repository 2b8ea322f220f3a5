/** Names that services give the same condition; what is not here keeps its name. */
const COMMON_NAMES: Readonly<Record<string, string>> = {
  ThrottlingException: 'Throttled',
  Throttling: 'Throttled',
  ThrottledException: 'Throttled',
  TooManyRequestsException: 'Throttled',
  RequestLimitExceeded: 'Throttled',
  AccessDeniedException: 'AccessDenied',
  AuthorizationErrorException: 'AccessDenied',
  Forbidden: 'AccessDenied',
  ResourceNotFound: 'NotFound',
  ResourceNotFoundException: 'NotFound',
  NotFoundException: 'NotFound',
};

/** Answers to HEAD have no body, so the SDK knows their status only. */
const NAMELESS = new Set(['Unknown', 'UnknownError', '403']);

/** Awaits a request and renames what it rejects with, so that callers match one name per condition. */
export async function withErrorNames<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw renamed(error);
  }
}

/** Throws an error of this name, as Step Functions' `ErrorEquals` matches it. */
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

export function isNamed(error: unknown, ...names: string[]): error is Error {
  return error instanceof Error && names.includes(error.name);
}

function renamed(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const name =
    NAMELESS.has(error.name) && statusOf(error) === 403 ? 'AccessDenied' : COMMON_NAMES[error.name];
  return name === undefined ? error : namedError(name, error.message, error);
}
