import { createHash } from 'node:crypto';
import { toAsciiSlug } from '../text/ascii-slug.ts';
import type { EndpointContent } from './content.ts';

const MAX_LENGTH = 63;
const HASH_LENGTH = 12;
const CANDIDATE = '-candidate';

/** The owner of endpoints: the prefix of every name, such as `inferdrop-dev`, and the bucket, which no other stack has. */
export interface EndpointOwner {
  readonly prefix: string;
  readonly bucket: string;
}

/** Name of a pipeline's one endpoint: readable, at most 63 characters, and another one in each deployment. */
export function toEndpointName(owner: EndpointOwner, pipeline: string): string {
  return toName(owner, pipeline, [owner.bucket, pipeline]);
}

/**
 * Name of the endpoint on which a pipeline's next model is tested before it takes over: each pipeline has one such name, so that the
 * endpoint can be found and deleted, and its log stays where `inferdrop endpoints logs` looks.
 */
export function toCandidateName({ prefix, bucket }: EndpointOwner, pipeline: string): string {
  const longestSlug = MAX_LENGTH - prefix.length - CANDIDATE.length - HASH_LENGTH - 2;
  return `${prefix}-${toAsciiSlug(pipeline, longestSlug)}${CANDIDATE}-${digest(['candidate', bucket, pipeline])}`;
}

/** Name of the alarm that an endpoint's test rings to have SageMaker take an update back. */
export function toDisagreementAlarm(endpointName: string): string {
  return `${endpointName}-disagrees`;
}

/** Name of the model that an endpoint serves: never one of a batch run, so that it can be deleted with the endpoint. */
export function toEndpointModelName(
  owner: EndpointOwner,
  pipeline: string,
  content: EndpointContent,
): string {
  return toName(owner, pipeline, ['model', owner.bucket, pipeline, content.model]);
}

/** Name of an endpoint's configuration, derived from its whole content: the same content is the same configuration. */
export function toEndpointConfigName(
  owner: EndpointOwner,
  pipeline: string,
  content: EndpointContent,
): string {
  return toName(owner, pipeline, ['config', owner.bucket, pipeline, content]);
}

/** Name of the configuration of an endpoint that hosts inference components: of everything but their models. */
export function toHostConfigName(owner: EndpointOwner, pipeline: string, content: EndpointContent): string {
  const { model, hardware, kmsKeyArn } = content;
  const { executionRoleArn, networkIsolation = false, vpc } = model;
  const shared = { executionRoleArn, networkIsolation, vpc, hardware, kmsKeyArn };
  return toName(owner, pipeline, ['host', owner.bucket, pipeline, shared]);
}

/** Name of a configuration that differs from another only in the number of its instances. */
export function toResizedConfigName(
  owner: EndpointOwner,
  pipeline: string,
  configName: string,
  instances: number,
): string {
  return toName(owner, pipeline, ['resized', owner.bucket, pipeline, configName, instances]);
}

/**
 * Name of the production variant of a configuration. Each configuration has its own, so that every answer, which names
 * its variant, says which model gave it, also while an update moves the traffic.
 */
export function toVariantName(content: EndpointContent): string {
  return `v-${digest(content)}`;
}

/** Prefix of all names about a pipeline's endpoint; another pipeline's names may also have it. */
export function toNameStem({ prefix }: EndpointOwner, pipeline: string): string {
  return `${prefix}-${toAsciiSlug(pipeline, MAX_LENGTH - prefix.length - HASH_LENGTH - 2)}-`;
}

function toName(owner: EndpointOwner, pipeline: string, identity: unknown): string {
  return `${toNameStem(owner, pipeline)}${digest(identity)}`;
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex')
    .slice(0, HASH_LENGTH);
}

/** The same text for the same content, independent of the order of its fields. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  );
}
