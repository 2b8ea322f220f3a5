import type { Site } from '../kernel/service.ts';
import type { FunctionConfig } from './function-config.ts';
import { functionArn } from './function-reference.ts';

/** A function version as GetFunction and ListFunctions show it. */
export function toFunctionConfiguration(
  site: Site,
  name: string,
  qualifier: string,
  config: FunctionConfig,
  modifiedMs: number,
): Readonly<Record<string, unknown>> {
  return {
    FunctionName: name,
    FunctionArn: functionArn(site, name) + (qualifier === '$LATEST' ? '' : `:${qualifier}`),
    Runtime: config.runtime,
    Role: config.role,
    Handler: config.handler,
    CodeSize: config.codeSize,
    CodeSha256: config.codeSha256,
    Description: config.description,
    Timeout: config.timeoutSeconds,
    MemorySize: config.memoryMb,
    LastModified: new Date(modifiedMs).toISOString().replace('Z', '+0000'),
    Version: qualifier,
    Environment: { Variables: config.environment },
    PackageType: 'Zip',
    Architectures: [config.architecture],
    State: 'Active',
    LastUpdateStatus: 'Successful',
    LoggingConfig: {
      LogFormat: config.logFormat,
      LogGroup: config.logGroup,
      ...(config.applicationLogLevel === undefined
        ? {}
        : { ApplicationLogLevel: config.applicationLogLevel }),
      ...(config.systemLogLevel === undefined ? {} : { SystemLogLevel: config.systemLogLevel }),
    },
    ...(config.deadLetterArn === undefined ? {} : { DeadLetterConfig: { TargetArn: config.deadLetterArn } }),
  };
}
