import { AwsError } from '../../kernel/aws-error.ts';
import type { Logging } from '../definition/logging.ts';
import type { StatesDeps } from './deps.ts';

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
