import { AwsError } from '../../gateway/aws-error.ts';
import type { Logging } from '../definition/logging.ts';
import type { StatesDeps } from './deps.ts';

/** What Step Functions' manual asks of the role of a machine that writes a log. */
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

/**
 * Whether a machine can act as its role, and its log can be set up with it.
 *
 * @throws {AwsError} `AccessDeniedException`
 */
export function checkRole(
  { site, roles, access }: StatesDeps,
  { arn, roleArn, logging }: { readonly arn: string; readonly roleArn: string; readonly logging: Logging },
): void {
  const principals = ['states.amazonaws.com', `states.${site.region}.amazonaws.com`];
  if (!principals.some((service) => access.mayAssume({ service, sourceArn: arn }, roleArn)))
    throw new AwsError(
      'AccessDeniedException',
      'Neither the global service principal states.amazonaws.com, nor the regional one is authorized to assume the provided role.',
    );
  if (logging.level === 'OFF') return;
  const needed = LOG_DELIVERY.map((call) => ({ action: `logs:${call}`, resource: '*' }));
  if (roles.refusal(roleArn, 'states', needed) !== null)
    throw new AwsError(
      'AccessDeniedException',
      'The state machine IAM Role is not authorized to access the Log Destination',
    );
}
