import { createHash } from 'node:crypto';
import type { Site } from '../gateway/service.ts';
import type { AppliedResource, ResourceContext, ResourceType, ResourceTypes } from './resource-type.ts';

/**
 * What has a name and an ARN but no effect on one machine: nobody is kept out by a role, nothing is encrypted by a key.
 * Deploy to AWS to have them enforced.
 */
export const recordedResources: ResourceTypes = {
  'AWS::IAM::Role': recorded(({ site, physicalName }) => ({
    ref: physicalName,
    attributes: {
      Arn: iamArn(site, `role/${physicalName}`),
      RoleId: `AROA${digest(physicalName).toUpperCase()}`,
    },
  })),
  'AWS::IAM::Policy': recorded(({ physicalName }) => ({ ref: physicalName, attributes: {} })),
  'AWS::IAM::ManagedPolicy': recorded(({ site, physicalName }) => ({
    ref: iamArn(site, `policy/${physicalName}`),
    attributes: {},
  })),
  'AWS::KMS::Key': recorded(({ site, physicalName }) => {
    const keyId = digest(physicalName).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
    return {
      ref: keyId,
      attributes: {
        Arn: `arn:${site.partition}:kms:${site.region}:${site.account}:key/${keyId}`,
        KeyId: keyId,
      },
    };
  }),
};

function recorded(
  describe: (resource: { readonly site: Site; readonly physicalName: string }) => AppliedResource,
): ResourceType {
  return {
    apply: async (_properties, context) =>
      describe({ site: context.site, physicalName: context.physicalId ?? physicalNameOf(context) }),
    remove: async () => undefined,
  };
}

function physicalNameOf({ stackName, logicalId }: ResourceContext): string {
  return `${stackName}-${logicalId}-${digest(`${stackName}/${logicalId}`).slice(0, 12)}`;
}

function iamArn(site: Site, resource: string): string {
  return `arn:${site.partition}:iam::${site.account}:${resource}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
