import type { IncomingHttpHeaders } from 'node:http';
import { validationError } from '../kernel/aws-error.ts';

const CUSTOM_ATTRIBUTES = 'x-amzn-sagemaker-custom-attributes';
const MAX_LENGTHS: Readonly<Record<string, number>> = {
  [CUSTOM_ATTRIBUTES]: 1024,
  'content-type': 1024,
  accept: 1024,
  'x-amzn-sagemaker-inference-id': 64,
};

/** Headers of the caller that the container sees. */
const PASSED = ['content-type', 'accept', CUSTOM_ATTRIBUTES, 'x-amzn-sagemaker-inference-id'] as const;

/** Headers that choose something that this stack does not have: ignoring them would give a wrong answer. */
const NOT_EMULATED: Readonly<Record<string, string>> = {
  'x-amzn-sagemaker-target-model': 'Invocation of a model (TargetModel) of a multi-model endpoint',
  'x-amzn-sagemaker-target-container-hostname': 'TargetContainerHostname',
  'x-amzn-sagemaker-session-id': 'SessionId',
  'x-amzn-sagemaker-enable-explanations': 'EnableExplanations',
};

/**
 * The headers of a container's request.
 *
 * @throws {AwsError} `ValidationError`
 */
export function toContainerHeaders(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  for (const [name, what] of Object.entries(NOT_EMULATED)) {
    if (headers[name] !== undefined)
      throw validationError(`${what} is not emulated by this stack: leave ${name} out`);
  }
  const passed: Record<string, string> = {};
  for (const name of PASSED) {
    const value = headers[name];
    if (value === undefined) continue;
    const longest = MAX_LENGTHS[name] ?? 1024;
    if (value.length > longest)
      throw validationError(
        `1 validation error detected: Value at '${name}' failed to satisfy constraint: Member must have length less ` +
          `than or equal to ${longest}`,
      );
    passed[name] = value;
  }
  return passed;
}

/** The headers of the caller's answer. */
export function toResponseHeaders(
  headers: IncomingHttpHeaders,
  variantName: string,
): Readonly<Record<string, string>> {
  const custom = headers[CUSTOM_ATTRIBUTES];
  return {
    'content-type': headers['content-type'] ?? 'application/octet-stream',
    'x-amzn-invoked-production-variant': variantName,
    ...(typeof custom === 'string' ? { [CUSTOM_ATTRIBUTES]: custom } : {}),
  };
}
