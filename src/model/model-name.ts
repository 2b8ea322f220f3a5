import { createHash } from 'node:crypto';
import type { StackSettings } from '../run/stack-settings.ts';
import { toAsciiSlug } from '../text/ascii-slug.ts';

/** The fields by which two SageMaker models are the same. */
export interface ModelIdentity {
  readonly sha256: string;
  readonly imageUri: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly executionRoleArn: string;
  readonly vpc: StackSettings['vpc'];
  readonly networkIsolation: boolean;
  /** Part of the identity, since two stacks in one account keep archives of their own. */
  readonly bucket: string;
}

/** Name of the SageMaker model of this identity, at most 63 characters; it contains the pipeline's name for readers. */
export function toModelName(pipeline: string, identity: ModelIdentity): string {
  const { sha256, imageUri, environment, executionRoleArn, vpc, networkIsolation, bucket } = identity;
  const variables = Object.entries(environment).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const network = vpc && [vpc.subnets.toSorted(), vpc.securityGroups.toSorted()];
  const text = JSON.stringify([
    sha256,
    imageUri,
    variables,
    executionRoleArn,
    network,
    bucket,
    networkIsolation,
  ]);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `inferdrop-${toAsciiSlug(pipeline, 36)}-${digest}`;
}
