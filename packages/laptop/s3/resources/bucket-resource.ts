import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { resource } from '../../cloudformation/resource.ts';
import type { AppliedResource, ResourceTypes } from '../../cloudformation/resource-type.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { Site } from '../../kernel/service.ts';
import { keepConfiguration } from '../configuration/bucket-configuration.ts';
import {
  encryption,
  notification,
  ownershipControls,
  publicAccessBlock,
  tagging,
  versioning,
} from '../configuration/configurations.ts';
import { lifecycle } from '../configuration/lifecycle.ts';
import { keepPolicy } from '../configuration/policy.ts';
import { createBucketNow } from '../object/create-bucket-now.ts';
import { versioningOf } from '../object/store-version.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import { BucketProperties } from './bucket-properties.ts';
import { toEncryption, toLifecycle, toOwnership, toPublicAccess } from './to-configuration.ts';

/** `AWS::S3::Bucket`. An existing bucket keeps its objects; configurations that a template no longer has are taken away. */
export function bucketResource(storage: ObjectStorage): ResourceTypes {
  return resource('AWS::S3::Bucket', {
    properties: BucketProperties,
    async apply(properties, { stackName, logicalId, physicalId, site }) {
      const name = properties.BucketName ?? physicalId ?? generatedName(stackName, logicalId);
      const isThere = storage.catalog.buckets.has(name);
      if (isThere && physicalId === undefined)
        throw new AwsError('AlreadyExists', `${name} already exists`, { statusCode: 409 });
      if (!isThere) createBucketNow(storage, name);
      const status = properties.VersioningConfiguration?.Status;
      // Versioning cannot be undone, only suspended.
      const formerly = versioningOf(storage, name);
      keepConfiguration(
        storage,
        name,
        versioning,
        status ? { Status: status } : formerly && { Status: 'Suspended' },
      );
      const toBus = properties.NotificationConfiguration?.EventBridgeConfiguration;
      keepConfiguration(
        storage,
        name,
        notification,
        toBus && toBus.EventBridgeEnabled !== false ? { EventBridgeConfiguration: {} } : undefined,
      );
      keepConfiguration(storage, name, encryption, toEncryption(properties.BucketEncryption));
      keepConfiguration(storage, name, lifecycle, toLifecycle(properties.LifecycleConfiguration));
      keepConfiguration(
        storage,
        name,
        publicAccessBlock,
        toPublicAccess(properties.PublicAccessBlockConfiguration),
      );
      keepConfiguration(storage, name, ownershipControls, toOwnership(properties.OwnershipControls));
      keepConfiguration(storage, name, tagging, properties.Tags && { TagSet: { Tag: properties.Tags } });
      return applied(name, site);
    },
    find({ BucketName: name = '' }, site) {
      return storage.catalog.buckets.has(name) ? applied(name, site) : undefined;
    },
    async remove(name) {
      const bucket = storage.catalog.buckets.get(name);
      if (!bucket) return;
      if (!bucket.isEmpty)
        throw new AwsError('BucketNotEmpty', `The bucket ${name} is not empty: delete its objects first`, {
          statusCode: 409,
        });
      storage.commit({ op: 'delete-bucket', bucket: name });
    },
  });
}

function applied(name: string, { partition, region }: Site): AppliedResource {
  return {
    ref: name,
    attributes: {
      Arn: `arn:${partition}:s3:::${name}`,
      DomainName: `${name}.s3.amazonaws.com`,
      RegionalDomainName: `${name}.s3.${region}.amazonaws.com`,
      DualStackDomainName: `${name}.s3.dualstack.${region}.amazonaws.com`,
      WebsiteURL: `http://${name}.s3-website-${region}.amazonaws.com`,
    },
  };
}

function generatedName(stackName: string, logicalId: string): string {
  const stem = `${stackName}-${logicalId}`.toLowerCase().replace(/[^a-z0-9-]/g, '-');
  return `${stem.slice(0, 50)}-${randomBytes(6).toString('hex')}`;
}

const Properties = z.strictObject({ Bucket: z.string(), PolicyDocument: z.looseObject({}) });

/** `AWS::S3::BucketPolicy`; its physical id is the bucket's name. */
export function bucketPolicyResource(storage: ObjectStorage): ResourceTypes {
  return resource('AWS::S3::BucketPolicy', {
    properties: Properties,
    async apply({ Bucket, PolicyDocument }) {
      storage.catalog.bucket(Bucket);
      keepPolicy(storage, Bucket, JSON.stringify(PolicyDocument));
      return { ref: Bucket, attributes: {} };
    },
    async remove(bucket) {
      if (!storage.catalog.buckets.get(bucket)?.configurations.has('policy')) return;
      storage.commit({ op: 'configure', bucket, name: 'policy', value: null });
    },
  });
}
