import { AwsError } from '../../kernel/aws-error.ts';
import type { ObjectVersion } from '../store/object-version.ts';
import { quoted } from '../xml/s3-xml.ts';
import { preconditionFailed, unquoted } from './write-conditions.ts';

/**
 * Checks `If-Match`, `If-None-Match`, `If-Modified-Since` and `If-Unmodified-Since`; where both of a pair are given the ETag decides
 * (RFC 9110, section 13.2.2).
 *
 * @param prefix `x-amz-copy-source-` for the source of a copy
 * @throws {AwsError} `PreconditionFailed`; `NotModified` with status 304 for a read
 */
export function checkReadConditions(
  headers: Readonly<Record<string, string>>,
  version: ObjectVersion,
  prefix: '' | 'x-amz-copy-source-' = '',
): void {
  const ifMatch = headers[`${prefix}if-match`];
  const ifNoneMatch = headers[`${prefix}if-none-match`];
  const unmodifiedSince = headers[`${prefix}if-unmodified-since`];
  const modifiedSince = headers[`${prefix}if-modified-since`];
  if (ifMatch !== undefined) {
    if (!names(ifMatch, version)) throw preconditionFailed('If-Match');
  } else if (unmodifiedSince !== undefined && version.lastModifiedMs > Date.parse(unmodifiedSince)) {
    throw preconditionFailed('If-Unmodified-Since');
  }
  const isUnchanged =
    ifNoneMatch !== undefined
      ? names(ifNoneMatch, version)
      : modifiedSince !== undefined && version.lastModifiedMs <= Date.parse(modifiedSince);
  if (!isUnchanged) return;
  if (prefix !== '') throw preconditionFailed('x-amz-copy-source-If-None-Match');
  throw new AwsError('NotModified', 'Not Modified', {
    statusCode: 304,
    headers: { etag: quoted(version.etag), 'last-modified': new Date(version.lastModifiedMs).toUTCString() },
  });
}

function names(condition: string, { etag }: ObjectVersion): boolean {
  return condition
    .split(',')
    .some((candidate) => ['*', etag].includes(unquoted(candidate.replace(/^\s*W\//, ''))));
}
