import * as z from 'zod';
import { AwsError } from '../../gateway/aws-error.ts';
import type { ObjectStorage } from '../store/object-storage.ts';

const Policy = z.object({
  Version: z.enum(['2008-10-17', '2012-10-17']).default('2008-10-17'),
  Statement: z.union([z.array(z.unknown()), z.looseObject({})]),
});

/**
 * Records a bucket policy as its text. It is not enforced: the stack has one principal, and no TLS that a policy could demand.
 *
 * @throws {AwsError} `MalformedPolicy`
 */
export function keepPolicy(storage: ObjectStorage, bucket: string, text: string): void {
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : String(error));
  }
  const parsed = Policy.safeParse(policy);
  if (!parsed.success) throw malformed(z.prettifyError(parsed.error));
  if (storage.catalog.bucket(bucket).configurations.get('policy') === text) return;
  storage.commit({ op: 'configure', bucket, name: 'policy', value: text });
}

function malformed(reason: string): AwsError {
  return new AwsError('MalformedPolicy', `Policies must be valid JSON with Version and Statement: ${reason}`);
}
