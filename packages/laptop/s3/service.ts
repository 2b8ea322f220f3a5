import { applyLifecycle, everyMidnight } from './lifecycle/apply-lifecycle.ts';
import { objectAccess } from './object-access.ts';
import { bucketPolicyResource, bucketResource } from './resources/bucket-resource.ts';
import { s3Service } from './rest-service.ts';
import { ObjectStorage, type ObjectStorageOptions } from './store/object-storage.ts';

/** S3 on the disk below `dir`, which is created if it is not there. What it holds survives a restart and a killed process. */
export function createS3(
  options: ObjectStorageOptions & {
    /** Limit of each bucket; without it nothing is refused. */
    readonly requestsPerSecond?: number | undefined;
  },
) {
  const storage = new ObjectStorage(options);
  const endMidnights = everyMidnight(options.clock, () => applyLifecycle(storage));
  const service = s3Service(storage, options.requestsPerSecond);
  return {
    service: {
      ...service,
      async close() {
        endMidnights();
        await service.close();
      },
    },
    objects: objectAccess(storage),
    resources: { ...bucketResource(storage), ...bucketPolicyResource(storage) },
    policyOn(arn: string) {
      const [bucket = ''] = arn.split(':').slice(5).join(':').split('/');
      const kept = storage.catalog.buckets.get(bucket);
      if (kept === undefined) return undefined;
      const policy = kept.configurations.get('policy');
      return typeof policy === 'string' ? policy : null;
    },
  };
}
