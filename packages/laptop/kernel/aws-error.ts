/** An error as AWS names it: clients match `code`, people read `message`. Each protocol renders it in its own form. */
export class AwsError extends Error {
  readonly code: string;
  readonly statusCode: number;
  /** Further members of the answer's body. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: string,
    message: string,
    options: {
      readonly statusCode?: number;
      readonly details?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.name = code;
    this.code = code;
    this.statusCode = options.statusCode ?? 400;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}

/** The refusal of a request, as JSON services name it. */
export const validationException = (message: string): AwsError =>
  new AwsError('ValidationException', message);

/** The refusal of a request, as CloudFormation, CloudWatch and InvokeEndpoint name it. */
export const validationError = (message: string): AwsError => new AwsError('ValidationError', message);
