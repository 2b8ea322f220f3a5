import { AwsError } from './aws-error.ts';

/**
 * The value of a JSON body; an empty one is `{}`.
 *
 * @throws {AwsError} `SerializationException`
 */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new AwsError(
      'SerializationException',
      `The body is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
