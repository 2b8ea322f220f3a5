import { createHash } from 'node:crypto';
import { toAsciiSlug } from '../drop/ascii-slug.ts';
import type { EndpointContent } from './content.ts';

const LONGEST = 63;
const HASH_LENGTH = 12;

/** Whose endpoints they are: the prefix of every name, such as `inferdrop-dev`, and the bucket, which no other stack has. */
export interface EndpointOwner {
  readonly prefix: string;
  readonly bucket: string;
}

/** Name of a pipeline's one endpoint: readable, at most 63 characters, and another one in each deployment. */
export function toEndpointName({ prefix, bucket }: EndpointOwner, pipeline: string): string {
  return toName(prefix, pipeline, [bucket, pipeline]);
}

/** Name of the model that an endpoint serves: never one of a batch run, so that it can be deleted with the endpoint. */
export function toEndpointModelName(
  { prefix, bucket }: EndpointOwner,
  pipeline: string,
  content: EndpointContent,
): string {
  return toName(prefix, pipeline, ['model', bucket, pipeline, content.model]);
}

/** Name of an endpoint's configuration, by all that is in it: the same content is the same configuration. */
export function toEndpointConfigName(
  { prefix, bucket }: EndpointOwner,
  pipeline: string,
  content: EndpointContent,
): string {
  return toName(prefix, pipeline, ['config', bucket, pipeline, content]);
}

/**
 * Name of the production variant of a configuration. Each configuration has its own, so that every answer, which names
 * its variant, says which model gave it, also while an update moves the traffic.
 */
export function toVariantName(content: EndpointContent): string {
  return `v-${digest(content)}`;
}

function toName(prefix: string, pipeline: string, identity: unknown): string {
  const tail = digest(identity);
  const left = LONGEST - prefix.length - tail.length - 2;
  return `${prefix}-${toAsciiSlug(pipeline, left)}-${tail}`;
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex')
    .slice(0, HASH_LENGTH);
}

/** The same text for the same content, whatever the order in which its fields were written. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  );
}
