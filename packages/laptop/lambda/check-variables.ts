import { AwsError } from '../kernel/aws-error.ts';

/** Variables that Lambda sets itself, by its manual's list of defined runtime environment variables. */
const RESERVED = new Set([
  '_HANDLER',
  '_X_AMZN_TRACE_ID',
  'AWS_DEFAULT_REGION',
  'AWS_REGION',
  'AWS_EXECUTION_ENV',
  'AWS_LAMBDA_FUNCTION_NAME',
  'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
  'AWS_LAMBDA_FUNCTION_VERSION',
  'AWS_LAMBDA_INITIALIZATION_TYPE',
  'AWS_LAMBDA_LOG_GROUP_NAME',
  'AWS_LAMBDA_LOG_STREAM_NAME',
  'AWS_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_LAMBDA_RUNTIME_API',
  'LAMBDA_TASK_ROOT',
  'LAMBDA_RUNTIME_DIR',
]);
/** Limit of all variables together, as JSON, by Lambda's quotas. */
const MAX_BYTES = 4096;

/** @throws {AwsError} `InvalidParameterValueException` for variables of a function that Lambda does not take */
export function checkVariables(variables: Readonly<Record<string, string>>): void {
  const refuse = (reason: string): never => {
    throw new AwsError(
      'InvalidParameterValueException',
      `Lambda was unable to configure your environment variables because the environment variables you have provided ${reason}`,
    );
  };
  const reserved = Object.keys(variables).filter((name) => RESERVED.has(name));
  if (reserved.length > 0)
    refuse(
      'contains reserved keys that are currently not supported for modification. Reserved keys used in this request: ' +
        `${reserved.join(', ')}`,
    );
  const size = Buffer.byteLength(JSON.stringify(variables));
  if (size > MAX_BYTES) refuse(`exceeded the 4KB limit. Measured size: ${size} bytes`);
}
