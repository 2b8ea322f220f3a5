import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import { checkArn } from '../arn.ts';
import { Logging } from '../definition/logging.ts';
import type { StoredMachine } from '../store/machines.ts';
import type { StatesDeps } from './deps.ts';

/** Tags of a state machine. Step Functions spells their members in lower case. */
export const Tags = z.array(z.strictObject({ key: z.string(), value: z.string() }));

/** Members that CreateStateMachine and UpdateStateMachine have in common. */
export const MachineSettings = {
  loggingConfiguration: Logging.optional(),
  tracingConfiguration: z.strictObject({ enabled: z.boolean() }).optional(),
  publish: z.literal(false, 'versions are not emulated').optional(),
  versionDescription: z.never('versions are not emulated').optional(),
  encryptionConfiguration: z
    .strictObject({ type: z.literal('AWS_OWNED_KEY', 'only AWS_OWNED_KEY is emulated') })
    .optional(),
};

/** @throws {AwsError} `InvalidArn`, `StateMachineDoesNotExist` */
export function requireMachine({ machines }: StatesDeps, arn: string): StoredMachine {
  checkArn(arn, 'stateMachine');
  const machine = machines.get(arn);
  if (!machine) throw new AwsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
  return machine;
}

/** @throws {AwsError} `InvalidLoggingConfiguration`: a level that logs needs one log group, by its ARN with `:*` */
export function checkLogging({ level, destinations }: Logging): void {
  if (level === 'OFF') return;
  const refuse = (reason: string): never => {
    throw new AwsError('InvalidLoggingConfiguration', `Invalid Logging Configuration: ${reason}`);
  };
  const [only, ...others] = destinations;
  if (!only || others.length > 0) return refuse('Must specify exactly one Log Destination.');
  const { logGroupArn } = only.cloudWatchLogsLogGroup;
  if (!/^arn:[\w-]+:logs:[\w-]*:\d*:log-group:/.test(logGroupArn))
    refuse('Provided ARN is not CloudWatch Logs Log Group ARN.');
  if (!logGroupArn.endsWith(':*')) refuse("Log Group ARN must be provided with '*' qualifier.");
}

/** Permissions that Step Functions' manual asks of the role of a machine that writes a log. */
const LOG_DELIVERY = [
  'CreateLogDelivery',
  'GetLogDelivery',
  'UpdateLogDelivery',
  'DeleteLogDelivery',
  'ListLogDeliveries',
  'PutResourcePolicy',
  'DescribeResourcePolicies',
  'DescribeLogGroups',
] as const;

/** Permissions that Step Functions' manual asks of the role of a machine that is traced by X-Ray. */
const TRACING = [
  'PutTraceSegments',
  'PutTelemetryRecords',
  'GetSamplingRules',
  'GetSamplingTargets',
] as const;

/** @throws {AwsError} `InvalidArn` for text that is not a role's ARN */
export function checkRoleArn(roleArn: string): void {
  if (!/^arn:[\w-]+:iam::\d{12}:role\/.+$/.test(roleArn))
    throw new AwsError('InvalidArn', `Invalid Arn: '${roleArn}'`);
}

interface RoleUse {
  /** ARN of the machine. */
  readonly arn: string;
  readonly roleArn: string;
  readonly logging: Logging;
  readonly isTraced: boolean;
}

/**
 * Checks that a machine can assume its role, and that its log and traces can be set up with it. AWS's documentation doesn't say
 * that it refuses a role without rights for X-Ray; it may only drop the traces.
 *
 *    @throws {AwsError} `AccessDeniedException`
 */
export function checkRole(
  { site, roles, access }: StatesDeps,
  { arn, roleArn, logging, isTraced }: RoleUse,
): void {
  const principals = ['states.amazonaws.com', `states.${site.region}.amazonaws.com`];
  if (!principals.some((service) => access.mayAssume({ service, sourceArn: arn }, roleArn)))
    throw new AwsError(
      'AccessDeniedException',
      'Neither the global service principal states.amazonaws.com, nor the regional one is authorized to assume the provided role.',
    );
  const may = (service: string, calls: readonly string[], resource: string): boolean => {
    const needed = calls.map((call) => ({ action: `${service}:${call}`, resource }));
    return roles.refusal(roleArn, 'states', needed) === null;
  };
  if (logging.level !== 'OFF' && !may('logs', LOG_DELIVERY, '*'))
    throw new AwsError(
      'AccessDeniedException',
      'The state machine IAM Role is not authorized to access the Log Destination',
    );
  if (isTraced && !may('xray', TRACING, '*'))
    throw new AwsError(
      'AccessDeniedException',
      `The state machine IAM Role is not authorized to send traces: allow xray:${TRACING.join(', ')}`,
    );
}
