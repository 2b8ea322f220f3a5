import type { ObjectStore } from '../../src/aws/s3/object-store.ts';
import { objectStore } from '../../src/aws/s3/s3-object-store.ts';
import { env } from './env.ts';

/** The application's own bucket. */
export function bucket(): ObjectStore {
  return objectStore({ bucket: env('BUCKET_NAME') });
}

/** The system clock, for use cases that take their clock as an argument. */
export const now = (): Date => new Date();
