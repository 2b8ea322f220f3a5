import * as z from 'zod';
import { numberProperty, tagsProperty } from '../cloudformation/property-values.ts';
import { resource } from '../cloudformation/resource.ts';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import { requireKnownTarget } from '../events/dispatcher.ts';
import { AwsError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RoleSessions, ServiceAccess } from '../kernel/permission.ts';
import type { Site } from '../kernel/service.ts';
import { functionArn } from './function-reference.ts';
import type { FunctionStore } from './function-store.ts';
import { requireCall } from './require-call.ts';

const FunctionProperties = z.strictObject({
  FunctionName: z.string().optional(),
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string(), S3ObjectVersion: z.string().optional() }),
  Handler: z.string().regex(/^[^.]+\.(?:[^.]*\.)*[^.]+$/, 'must be like path/file.export'),
  Runtime: z.string().regex(/^nodejs(20|22|24)\.x$/, 'this stack runs nodejs20.x, nodejs22.x and nodejs24.x'),
  Role: z.string(),
  Description: z.string().default(''),
  Timeout: numberProperty.pipe(z.number().int().min(1).max(900)).default(3),
  MemorySize: numberProperty.pipe(z.number().int().min(128).max(10_240)).default(128),
  Environment: z
    .strictObject({
      Variables: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)),
    })
    .optional(),
  ReservedConcurrentExecutions: numberProperty.pipe(z.number().int().min(0)).optional(),
  DeadLetterConfig: z.strictObject({ TargetArn: z.string() }).optional(),
  LoggingConfig: z
    .strictObject({
      LogGroup: z.string().optional(),
      LogFormat: z.enum(['JSON', 'Text']).default('Text'),
      ApplicationLogLevel: z.enum(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL']).optional(),
      SystemLogLevel: z.enum(['DEBUG', 'INFO', 'WARN']).optional(),
    })
    .optional(),
  Architectures: z.array(z.enum(['x86_64', 'arm64'])).default(['x86_64']),
  PackageType: z.literal('Zip').optional(),
  /** Nothing is traced on one machine; the role must allow it all the same. */
  TracingConfig: z.strictObject({ Mode: z.enum(['Active', 'PassThrough']) }).optional(),
  /** Properties from here on have no meaning on one machine. */
  VpcConfig: z.unknown().optional(),
  KmsKeyArn: z.string().optional(),
  EphemeralStorage: z.unknown().optional(),
  RuntimeManagementConfig: z.unknown().optional(),
  RecursiveLoop: z.string().optional(),
  Tags: tagsProperty.optional(),
});

/** Dependencies of functions in templates. */
export interface FunctionDeps {
  readonly store: FunctionStore;
  readonly site: Site;
  readonly clock: Clock;
  readonly access: ServiceAccess;
  readonly refusalOf: RoleSessions['refusal'];
}

/** `AWS::Lambda::Function`, from a zip archive in a bucket. */
export function functionResource({ store, site, clock, access, refusalOf }: FunctionDeps): ResourceTypes {
  return resource('AWS::Lambda::Function', {
    properties: FunctionProperties,
    apply: async (parsed, { logicalId, physicalId, stackName }) => {
      const name = parsed.FunctionName ?? physicalId ?? `${stackName}-${logicalId}`.slice(0, 64);
      const logging = parsed.LoggingConfig;
      const caller = { service: 'lambda.amazonaws.com', sourceArn: functionArn(site, name) };
      if (!access.mayAssume(caller, parsed.Role))
        throw new AwsError(
          'InvalidParameterValueException',
          'The role defined for the function cannot be assumed by Lambda.',
        );
      checkVariables(parsed.Environment?.Variables ?? {});
      if (parsed.ReservedConcurrentExecutions !== undefined)
        store.checkReservation(name, parsed.ReservedConcurrentExecutions);
      const asRole = { role: parsed.Role, name };
      if (parsed.DeadLetterConfig) {
        const { TargetArn } = parsed.DeadLetterConfig;
        requireKnownTarget(TargetArn);
        const call = TargetArn.split(':')[2] === 'sns' ? 'sns:Publish' : 'sqs:SendMessage';
        requireCall(refusalOf, asRole, call, TargetArn);
      }
      if (parsed.TracingConfig?.Mode === 'Active')
        requireCall(refusalOf, asRole, 'xray:PutTraceSegments', '*');
      store.put({
        name,
        latest: {
          ...(await store.unpack(parsed.Code.S3Bucket, parsed.Code.S3Key)),
          handler: parsed.Handler,
          runtime: parsed.Runtime,
          role: parsed.Role,
          description: parsed.Description,
          timeoutSeconds: parsed.Timeout,
          memoryMb: parsed.MemorySize,
          environment: parsed.Environment?.Variables ?? {},
          reservedConcurrency: parsed.ReservedConcurrentExecutions,
          logGroup: logging?.LogGroup ?? `/aws/lambda/${name}`,
          logFormat: logging?.LogFormat ?? 'Text',
          applicationLogLevel: logging?.ApplicationLogLevel,
          systemLogLevel: logging?.SystemLogLevel,
          architecture: parsed.Architectures[0] ?? 'x86_64',
          deadLetterArn: parsed.DeadLetterConfig?.TargetArn,
        },
        modifiedMs: clock.now(),
      });
      return { ref: name, attributes: { Arn: functionArn(site, name) } };
    },
    remove: async (name) => store.delete(name),
  });
}

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
function checkVariables(variables: Readonly<Record<string, string>>): void {
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
