/** Why an endpoint, or an update of it, failed: in the words of `FailureReason`. */
export class EndpointFailure extends Error {
  override readonly name = 'EndpointFailure';

  /** @param message cut to the 1,024 characters that the API allows */
  constructor(message: string) {
    super(message.length > 1024 ? `${message.slice(0, 1023)}…` : message);
  }
}

/** The container of a variant never answered `GET /ping` with 200. `detail` is its last log line, if any. */
export function pingFailure(variantName: string, endpointName: string, detail?: string): EndpointFailure {
  const last = detail === undefined ? '' : ` (${detail})`;
  return new EndpointFailure(
    `The primary container for production variant ${variantName} did not pass the ping health check. ` +
      `Please check CloudWatch logs for this endpoint: ${logGroupOf(endpointName)}.${last}`,
  );
}

/** CloudWatch log group of an endpoint's containers. */
export function logGroupOf(endpointName: string): string {
  return `/aws/sagemaker/Endpoints/${endpointName}`;
}
