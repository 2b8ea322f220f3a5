import { Condition } from '../../problem/conditions.ts';
import type { Credentials } from '../calls/sign-request.ts';

/** Environment variables, of a Lambda or of a developer's machine. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The credentials of the role, which Lambda keeps in the environment.
 *
 * @throws `MissingConfiguration`
 */
export function environmentCredentials(environment: Environment): Credentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new Condition(
      'MissingConfiguration',
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must both be set',
    );
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    // A Lambda's credentials have a session token; a user's don't.
    sessionToken: AWS_SESSION_TOKEN || undefined,
  };
}

/** A custom endpoint, which the SDK's clients would find in the same variables; undefined for AWS itself. */
export function ownEndpoint(
  environment: Environment,
  service: 'S3' | 'SAGEMAKER_RUNTIME' | 'LAMBDA',
): URL | undefined {
  const text = environment[`AWS_ENDPOINT_URL_${service}`] ?? environment['AWS_ENDPOINT_URL'];
  return text === undefined || text === '' ? undefined : new URL(text);
}
