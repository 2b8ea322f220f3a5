/** TensorFlow's status codes and the HTTP status that the REST API gives them. */
const HTTP_STATUS = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
  INTERNAL: 500,
  UNKNOWN: 500,
} as const;

type ServingCode = keyof typeof HTTP_STATUS;

/** An error as TensorFlow Serving answers it. */
export class ServingError extends Error {
  override readonly name = 'ServingError';
  readonly code: ServingCode;

  constructor(code: ServingCode, message: string) {
    super(message);
    this.code = code;
  }

  get httpStatus(): number {
    return HTTP_STATUS[this.code];
  }

  /** Text that `Status::ToString` prints inside other messages. */
  override toString(): string {
    return `${this.code}: ${this.message}`;
  }
}

/** `INVALID_ARGUMENT`, which is answered with 400; `message` has TensorFlow Serving's words. */
export function invalidArgument(message: string): ServingError {
  return new ServingError('INVALID_ARGUMENT', message);
}

const C_ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  "'": "\\'",
  '\\': '\\\\',
};

/** `{ "error": "…" }` with C escapes: an apostrophe becomes `\'`, which strict JSON parsers reject, as in the real server. */
export function toErrorBody(message: string): string {
  let escaped = '';
  for (const byte of Buffer.from(message, 'utf8')) {
    const char = String.fromCharCode(byte);
    escaped +=
      C_ESCAPES[char] ?? (byte >= 0x20 && byte < 0x7f ? char : `\\${byte.toString(8).padStart(3, '0')}`);
  }
  return `{ "error": "${escaped}" }`;
}
