import { AwsError } from './aws-error.ts';

/** Whether a value is an object of JSON: not null, and not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a text of JSON; undefined if it is not JSON. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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
