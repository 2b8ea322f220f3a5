import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import type { ResourcePolicyLookup } from '../kernel/permission.ts';
import type { ObjectAccess } from '../kernel/ports.ts';
import type { Service } from '../kernel/service.ts';
import { applyLifecycle } from './lifecycle/apply-lifecycle.ts';
import { everyMidnight } from './lifecycle/midnight.ts';
import { objectAccess } from './object-access.ts';
import { bucketPolicyResource } from './resources/bucket-policy-resource.ts';
import { bucketResource } from './resources/bucket-resource.ts';
import { s3Service } from './rest-service.ts';
import { ObjectStorage, type ObjectStorageOptions } from './store/object-storage.ts';

/** S3 on the disk below `dir`, which is created if it is not there. What it holds survives a restart and a killed process. */
export function createS3(
  options: ObjectStorageOptions & {
    /** Limit of each bucket; without it nothing is refused. */
    readonly requestsPerSecond?: number | undefined;
  },
): {
  readonly service: Service;
  readonly objects: ObjectAccess;
  readonly resources: ResourceTypes;
  readonly policyOn: ResourcePolicyLookup;
} {
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
    policyOn(arn) {
      const [bucket = ''] = arn.split(':').slice(5).join(':').split('/');
      const kept = storage.catalog.buckets.get(bucket);
      if (kept === undefined) return undefined;
      const policy = kept.configurations.get('policy');
      return typeof policy === 'string' ? policy : null;
    },
  };
}
