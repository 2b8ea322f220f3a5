import { AwsError } from '../../gateway/aws-error.ts';
import { parseResourcePolicy } from '../../iam/resource-policy.ts';
import type { ObjectStorage } from '../store/object-storage.ts';

/**
 * Keeps a bucket policy as its text; `local/iam/` enforces it.
 *
 * @throws {AwsError} `MalformedPolicy`
 */
export function keepPolicy(storage: ObjectStorage, bucket: string, text: string): void {
  const policy = parseResourcePolicy(`of the bucket ${bucket}`, text, 'MalformedPolicy');
  for (const { Action, Resource } of policy.Statement)
    checkResources(bucket, [Action ?? []].flat(), [Resource ?? []].flat());
  if (storage.catalog.bucket(bucket).configurations.get('policy') === text) return;
  storage.commit({ op: 'configure', bucket, name: 'policy', value: text });
}

const OF_OBJECTS = /^s3:(?!.*Bucket).*(Object|MultipartUpload)/;
const OF_BUCKETS = /^s3:.*Bucket/;

/** Resources are the bucket or objects in it, and each action that has no wildcard is one of at least one of them. */
function checkResources(bucket: string, actions: readonly string[], resources: readonly string[]): void {
  const places = resources.map(
    (resource) => /^arn:[\w-]+:s3:::([^/]*)(\/?)/.exec(resource)?.slice(1) ?? ['*'],
  );
  if (places.some(([name = '']) => name !== bucket && !/[*?]/.test(name)))
    throw new AwsError('MalformedPolicy', 'Policy has invalid resource');
  const hasObjects = places.some(([name = '', slash]) => slash === '/' || /[*?]/.test(name));
  const hasBuckets = places.some(([name = '', slash]) => slash === '' || /[*?]/.test(name));
  const lost = actions
    .filter((action) => !/[*?]/.test(action))
    .find((action) => (OF_OBJECTS.test(action) && !hasObjects) || (OF_BUCKETS.test(action) && !hasBuckets));
  if (lost !== undefined && resources.length > 0)
    throw new AwsError('MalformedPolicy', `Action does not apply to any resource(s) in statement (${lost})`);
}
