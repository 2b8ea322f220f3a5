import { AwsError } from '../kernel/aws-error.ts';
import type { RoleSessions } from '../kernel/permission.ts';

/**
 * Checks the role when a function's settings are made, as Lambda does.
 *
 *    @param call the IAM action, as in `sqs:SendMessage`
 *    @throws {AwsError} `InvalidParameterValueException`, in Lambda's words, if the role may not
 */
export function requireCall(
  refusalOf: RoleSessions['refusal'],
  { role, name }: { readonly role: string; readonly name: string },
  call: string,
  resource: string,
): void {
  if (refusalOf(role, name, [{ action: call, resource }]) === null) return;
  const [service = '', verb = ''] = call.split(':');
  throw new AwsError(
    'InvalidParameterValueException',
    `The provided execution role does not have permissions to call ${verb} on ${service.toUpperCase()}`,
    { details: { Type: 'User' } },
  );
}
