import { parseResourcePolicy } from '../../iam/resource-policy.ts';
import type { ObjectStorage } from '../store/object-storage.ts';

/**
 * Keeps a bucket policy as its text; `local/iam/` enforces it.
 *
 * @throws {AwsError} `MalformedPolicy`
 */
export function keepPolicy(storage: ObjectStorage, bucket: string, text: string): void {
  parseResourcePolicy(`of the bucket ${bucket}`, text, 'MalformedPolicy');
  if (storage.catalog.bucket(bucket).configurations.get('policy') === text) return;
  storage.commit({ op: 'configure', bucket, name: 'policy', value: text });
}
