import { devNull } from 'node:os';
import type { Credentials } from '../kernel/permission.ts';
import type { Site } from '../kernel/service.ts';
import type { FunctionConfig } from './function-config.ts';
import { LATEST } from './function-reference.ts';

/**
 * The whole environment of an instance: nothing of the host's leaks in, every SDK client finds the stack's endpoint, and none
 * looks for credentials in instance metadata or the user's own files.
 */
export function toEnvironment(options: {
  readonly name: string;
  readonly config: FunctionConfig;
  readonly codeFolder: string;
  readonly logStream: string;
  readonly site: Site;
  readonly credentials: Credentials;
}): Readonly<Record<string, string>> {
  const { config, site, credentials } = options;
  return {
    ...config.environment,
    AWS_REGION: site.region,
    AWS_DEFAULT_REGION: site.region,
    AWS_ENDPOINT_URL: site.endpoint(),
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_EXECUTION_ENV: `AWS_Lambda_${config.runtime}`,
    AWS_LAMBDA_FUNCTION_NAME: options.name,
    AWS_LAMBDA_FUNCTION_VERSION: LATEST,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(config.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: config.logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: options.logStream,
    AWS_LAMBDA_LOG_FORMAT: config.logFormat,
    ...(config.applicationLogLevel === undefined ? {} : { AWS_LAMBDA_LOG_LEVEL: config.applicationLogLevel }),
    LAMBDA_TASK_ROOT: options.codeFolder,
    _HANDLER: config.handler,
    TZ: ':UTC',
    LANG: 'en_US.UTF-8',
  };
}
