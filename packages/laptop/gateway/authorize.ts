import { AwsError, validationException } from '../kernel/aws-error.ts';
import type { Roles } from '../kernel/permission.ts';
import { protocolOf } from '../kernel/protocol.ts';
import type { Service, ServiceRequest } from '../kernel/service.ts';

/**
 * Lets a caller with a role do what its policies allow. Every other caller is the account's owner, who may do anything that no
 * resource policy denies to all principals.
 *
 * @throws {AwsError} `AccessDenied` or `AccessDeniedException`, as the request's protocol names it; `ValidationException` if the
 * service checks something else first
 */
export async function authorize(
  roles: Roles | undefined,
  service: Service,
  request: ServiceRequest,
): Promise<void> {
  const { accessKeyId } = request;
  if (roles === undefined || accessKeyId === undefined) return;
  if (roles.secretOf(accessKeyId) === undefined) {
    const refusal = service.ownerPermissions && roles.ownerRefusal(await service.ownerPermissions(request));
    if (refusal) throw accessDenied(request, refusal);
    return;
  }
  if (service.permissions === undefined)
    throw accessDenied(
      request,
      `The local stack does not know what permissions ${service.name} asks of a role: call it with other credentials`,
    );
  const permissions = await service.permissions(request);
  const refusal = roles.refusal(
    accessKeyId,
    permissions.filter(({ isTriedFirst }) => !isTriedFirst),
  );
  if (refusal) throw accessDenied(request, refusal);
  const missing = permissions.filter(
    (permission) => permission.isTriedFirst && roles.refusal(accessKeyId, [permission]),
  );
  if (missing.length > 0) {
    const actions = missing.map(({ action }) => action).join(', ');
    throw validationException(`User is missing the following permissions: ${actions}`);
  }
}

function accessDenied(request: ServiceRequest, message: string): AwsError {
  const protocol = protocolOf(request);
  const code = ['s3', 'query'].includes(protocol) ? 'AccessDenied' : 'AccessDeniedException';
  return new AwsError(code, message, { statusCode: protocol === 'json' ? 400 : 403 });
}
