import type { Permission } from '../kernel/permission.ts';
import type { Site } from '../kernel/service.ts';

/**
 * Permissions a caller needs when a service uses a customer's key on its behalf; none without a key, or for AWS's own keys.
 *
 * @param service as in `s3`
 * @param key its ARN or its id
 */
export function keyPermissions(
  { partition, region, account }: Site,
  service: string,
  key: string | undefined,
  calls: readonly string[],
): Permission[] {
  if (key === undefined || /(^|:)alias\/aws\//.test(key)) return [];
  const resource = key.startsWith('arn:') ? key : `arn:${partition}:kms:${region}:${account}:key/${key}`;
  const context = { 'kms:ViaService': `${service}.${region}.amazonaws.com`, 'kms:CallerAccount': account };
  return calls.map((call) => ({
    action: `kms:${call}`,
    resource,
    context: call === 'CreateGrant' ? { ...context, 'kms:GrantIsForAWSResource': 'true' } : context,
  }));
}
