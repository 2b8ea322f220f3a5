import { AwsError } from '../kernel/aws-error.ts';
import type { Permission, RoleSessions } from '../kernel/permission.ts';
import type { ObjectAccess } from '../kernel/ports.ts';
import type { Site } from '../kernel/service.ts';

/** Objects as far as a role may touch them, all of them without one; each refusal is an `AwsError` with the code `AccessDenied`. */
export function objectsAsRole(
  objects: ObjectAccess,
  roleArn: string | undefined,
  { partition }: Site,
  roles: RoleSessions,
): ObjectAccess {
  if (roleArn === undefined) return objects;
  const check = (action: string, resource: string, context: Permission['context'] = {}): void => {
    const refusal = roles.refusal(roleArn, 'SageMaker', [
      { action: `s3:${action}`, resource: `arn:${partition}:s3:::${resource}`, context },
    ]);
    if (refusal !== null) throw new AwsError('AccessDenied', refusal, { statusCode: 403 });
  };
  return {
    hasBucket: (bucket) => objects.hasBucket(bucket),
    list(bucket, prefix) {
      check('ListBucket', bucket, { 's3:prefix': prefix });
      return objects.list(bucket, prefix);
    },
    head(bucket, key) {
      check('GetObject', `${bucket}/${key}`);
      return objects.head(bucket, key);
    },
    async read(bucket, key) {
      check('GetObject', `${bucket}/${key}`);
      return objects.read(bucket, key);
    },
    async readStream(bucket, key) {
      check('GetObject', `${bucket}/${key}`);
      return objects.readStream(bucket, key);
    },
    async write(bucket, key, body, options) {
      check('PutObject', `${bucket}/${key}`);
      return objects.write(bucket, key, body, options);
    },
    delete(bucket, key) {
      check('DeleteObject', `${bucket}/${key}`);
      return objects.delete(bucket, key);
    },
    remove: (bucket, written) => objects.remove(bucket, written),
  };
}

/** Whether a role was refused something. */
export function isAccessDenied(error: unknown): error is AwsError {
  return error instanceof AwsError && error.code === 'AccessDenied';
}
