import type { ServiceRequest, Site } from '../../kernel/service.ts';
import type { FunctionRecord } from '../function-config.ts';
import { functionArn, LATEST } from '../function-reference.ts';
import type { FunctionStore } from '../function-store.ts';
import type { RestAction } from '../rest-service.ts';

/** AWS's limits for code, in bytes; the stack does not enforce them. */
const CODE_LIMITS = {
  TotalCodeSize: 80_530_636_800,
  CodeSizeUnzipped: 262_144_000,
  CodeSizeZipped: 52_428_800,
};

/**
 * Calls that show functions.
 *
 * @param concurrency executions at a time of the whole account
 */
export const functionActions = (
  store: FunctionStore,
  site: Site,
  concurrency: number,
): readonly RestAction[] => [
  /** The code has no download link here. */
  {
    operation: 'GetFunction',
    answer: (labels, request) => {
      const Configuration = toConfiguration(site, recordOf(store, labels, request));
      return { statusCode: 200, body: { Configuration, Code: { RepositoryType: 'S3' }, Tags: {} } };
    },
  },
  {
    operation: 'GetFunctionConfiguration',
    answer: (labels, request) => ({
      statusCode: 200,
      body: toConfiguration(site, recordOf(store, labels, request)),
    }),
  },
  /** In one page, `$LATEST` only. */
  {
    operation: 'ListFunctions',
    answer: () => {
      const Functions = store.records().map((record) => toConfiguration(site, record));
      return { statusCode: 200, body: { Functions } };
    },
  },
  {
    operation: 'GetAccountSettings',
    answer: () => {
      const functions = store.records();
      const reserved = functions.reduce((sum, { latest }) => sum + (latest.reservedConcurrency ?? 0), 0);
      return {
        statusCode: 200,
        body: {
          AccountLimit: {
            ...CODE_LIMITS,
            ConcurrentExecutions: concurrency,
            UnreservedConcurrentExecutions: concurrency - reserved,
          },
          AccountUsage: {
            TotalCodeSize: functions.reduce((sum, { latest }) => sum + latest.codeSize, 0),
            FunctionCount: functions.length,
          },
        },
      };
    },
  },
];

/** @throws {AwsError} `ResourceNotFoundException`, also for a version or an alias: none is published */
function recordOf(
  store: FunctionStore,
  { FunctionName: name = '' }: Readonly<Record<string, string>>,
  { query }: ServiceRequest,
): FunctionRecord {
  const qualifier = query.get('Qualifier');
  const target = qualifier === null ? name : `${name}:${qualifier}`;
  store.config(target);
  return store.record(target);
}

/** A function as GetFunction and ListFunctions show it. */
function toConfiguration(
  site: Site,
  { name, latest: config, modifiedMs }: FunctionRecord,
): Readonly<Record<string, unknown>> {
  return {
    FunctionName: name,
    FunctionArn: functionArn(site, name),
    Runtime: config.runtime,
    Role: config.role,
    Handler: config.handler,
    CodeSize: config.codeSize,
    CodeSha256: config.codeSha256,
    Description: config.description,
    Timeout: config.timeoutSeconds,
    MemorySize: config.memoryMb,
    LastModified: new Date(modifiedMs).toISOString().replace('Z', '+0000'),
    Version: LATEST,
    Environment: { Variables: config.environment },
    PackageType: 'Zip',
    Architectures: [config.architecture],
    State: 'Active',
    LastUpdateStatus: 'Successful',
    LoggingConfig: {
      LogFormat: config.logFormat,
      LogGroup: config.logGroup,
      ApplicationLogLevel: config.applicationLogLevel,
      SystemLogLevel: config.systemLogLevel,
    },
    DeadLetterConfig: config.deadLetterArn === undefined ? undefined : { TargetArn: config.deadLetterArn },
  };
}
