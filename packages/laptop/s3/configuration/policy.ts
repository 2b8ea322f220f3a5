import { parseResourcePolicy } from '../../iam/resource-policy.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import { publicAccessBlock } from './configurations.ts';

/**
 * Keeps a bucket policy as its text; `packages/laptop/iam/` enforces it.
 *
 * @throws {AwsError} `MalformedPolicy`; `AccessDenied` for a public policy that `BlockPublicPolicy` keeps out
 */
export function keepPolicy(storage: ObjectStorage, bucket: string, text: string): void {
  const policy = parseResourcePolicy(`of the bucket ${bucket}`, text, 'MalformedPolicy');
  for (const { Action, Resource } of policy.Statement)
    checkResources(bucket, [Action ?? []].flat(), [Resource ?? []].flat());
  const block = storage.catalog.bucket(bucket).configurations.get('publicAccessBlock');
  if (publicAccessBlock.schema.parse(block ?? DEFAULT_BLOCK).BlockPublicPolicy === 'true' && isPublic(policy))
    throw new AwsError(
      'AccessDenied',
      `User is not authorized to perform: s3:PutBucketPolicy on resource: "arn:aws:s3:::${bucket}" because public ` +
        'policies are blocked by the BlockPublicPolicy block public access setting',
      { statusCode: 403 },
    );
  if (storage.catalog.bucket(bucket).configurations.get('policy') === text) return;
  storage.commit({ op: 'configure', bucket, name: 'policy', value: text });
}

/** Configuration of every bucket since April 2023; deleting it does not lift it here. */
const DEFAULT_BLOCK = { BlockPublicPolicy: 'true' };
/** Condition keys that, with a fixed value, restrict a statement about every principal (S3's manual, "The meaning of public"). */
const NARROWING =
  /^(aws:(SourceArn|SourceAccount|SourceVpc|SourceVpce|SourceIp|SourceOwner|PrincipalArn|PrincipalAccount|PrincipalOrgID|userid)|s3:x-amz-server-side-encryption-aws-kms-key-id|s3:DataAccessPoint(Arn|Account))$/i;

function isPublic({ Statement }: ReturnType<typeof parseResourcePolicy>): boolean {
  return Statement.some(({ Effect, Principal, Condition = {} }) => {
    const everybody =
      Principal === '*' || (Principal !== undefined && [Principal.AWS ?? []].flat().includes('*'));
    const keys = Object.values(Condition).flatMap((values) => Object.keys(values));
    return Effect === 'Allow' && everybody && !keys.some((key) => NARROWING.test(key));
  });
}

const OF_OBJECTS = /^s3:.*(Object|MultipartUpload)/;
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
    .find((action) => (OF_BUCKETS.test(action) ? !hasBuckets : OF_OBJECTS.test(action) && !hasObjects));
  if (lost !== undefined && resources.length > 0)
    throw new AwsError('MalformedPolicy', `Action does not apply to any resource(s) in statement (${lost})`);
}
