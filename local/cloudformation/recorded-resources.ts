import { createHash } from 'node:crypto';
import type { ResourceTypes } from './resource-type.ts';

/** What has a name and an ARN but no effect on one machine: nothing is encrypted by a key. Deploy to AWS to have that. */
export const recordedResources: ResourceTypes = {
  'AWS::KMS::Key': {
    apply: async (_properties, { stackName, logicalId, physicalId, site }) => {
      const keyId = physicalId ?? toUuid(`${stackName}/${logicalId}`);
      const arn = `arn:${site.partition}:kms:${site.region}:${site.account}:key/${keyId}`;
      return { ref: keyId, attributes: { Arn: arn, KeyId: keyId } };
    },
    remove: async () => undefined,
  },
};

function toUuid(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex');
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
