import type { LifecycleRule } from '../configuration/lifecycle.ts';
import type { BucketProperties } from './bucket-properties.ts';

/** CloudFormation spells S3's configurations in its own words; these give the words of S3's API. */
export function toEncryption(properties: BucketProperties['BucketEncryption']) {
  return (
    properties && {
      Rule: properties.ServerSideEncryptionConfiguration.map((rule) => ({
        ApplyServerSideEncryptionByDefault: rule.ServerSideEncryptionByDefault,
        BucketKeyEnabled: toFlag(rule.BucketKeyEnabled),
      })),
    }
  );
}

/** Public access block of a template; a flag that it leaves out is false. */
export function toPublicAccess(properties: BucketProperties['PublicAccessBlockConfiguration']) {
  return (
    properties && {
      BlockPublicAcls: toFlag(properties.BlockPublicAcls) ?? 'false',
      IgnorePublicAcls: toFlag(properties.IgnorePublicAcls) ?? 'false',
      BlockPublicPolicy: toFlag(properties.BlockPublicPolicy) ?? 'false',
      RestrictPublicBuckets: toFlag(properties.RestrictPublicBuckets) ?? 'false',
    }
  );
}

/** Ownership controls. Their rules have the same members in a template and in the API. */
export function toOwnership(properties: BucketProperties['OwnershipControls']) {
  return properties && { Rule: properties.Rules };
}

/** Lifecycle rules of a template; several criteria of one go into an `And`, as S3's API wants it. */
export function toLifecycle(properties: BucketProperties['LifecycleConfiguration']) {
  return properties && { Rule: properties.Rules.map(toRule) };
}

type RuleProperties = NonNullable<BucketProperties['LifecycleConfiguration']>['Rules'][number];

function toRule(rule: RuleProperties): LifecycleRule {
  const noncurrentDays =
    rule.NoncurrentVersionExpiration?.NoncurrentDays ?? rule.NoncurrentVersionExpirationInDays;
  return {
    ID: rule.Id,
    Filter: toFilter(rule),
    Status: rule.Status,
    Expiration: toExpiration(rule),
    NoncurrentVersionExpiration:
      noncurrentDays === undefined
        ? undefined
        : {
            NoncurrentDays: String(noncurrentDays),
            NewerNoncurrentVersions: toText(rule.NoncurrentVersionExpiration?.NewerNoncurrentVersions),
          },
    AbortIncompleteMultipartUpload: rule.AbortIncompleteMultipartUpload && {
      DaysAfterInitiation: String(rule.AbortIncompleteMultipartUpload.DaysAfterInitiation),
    },
    Transition: rule.Transitions?.map(({ StorageClass, TransitionInDays, TransitionDate }) => ({
      Days: toText(TransitionInDays),
      Date: TransitionDate,
      StorageClass,
    })),
    NoncurrentVersionTransition: rule.NoncurrentVersionTransitions?.map((transition) => ({
      NoncurrentDays: String(transition.TransitionInDays),
      NewerNoncurrentVersions: toText(transition.NewerNoncurrentVersions),
      StorageClass: transition.StorageClass,
    })),
  };
}

function toFilter(rule: RuleProperties): LifecycleRule['Filter'] {
  const criteria = {
    Prefix: rule.Prefix,
    ObjectSizeGreaterThan: rule.ObjectSizeGreaterThan,
    ObjectSizeLessThan: rule.ObjectSizeLessThan,
    Tag: rule.TagFilters,
  };
  const given =
    Object.values(criteria).filter((value) => value !== undefined).length +
    (rule.TagFilters?.length ?? 1) -
    1;
  // Several criteria must stand in an `And`; none at all is the empty prefix.
  if (given === 0) return { Prefix: '' };
  return given === 1 ? criteria : { And: criteria };
}

function toExpiration(rule: RuleProperties): LifecycleRule['Expiration'] {
  const { ExpirationInDays, ExpirationDate, ExpiredObjectDeleteMarker } = rule;
  if (
    ExpirationInDays === undefined &&
    ExpirationDate === undefined &&
    ExpiredObjectDeleteMarker === undefined
  )
    return undefined;
  return {
    Days: toText(ExpirationInDays),
    Date: ExpirationDate,
    ExpiredObjectDeleteMarker: toFlag(ExpiredObjectDeleteMarker),
  };
}

function toFlag(value: boolean | undefined): 'true' | 'false' | undefined {
  return value === undefined ? undefined : value ? 'true' : 'false';
}

function toText(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
