import { AwsError } from '../../kernel/aws-error.ts';
import { readDigests } from '../body/receive-body.ts';
import { invalidArgument } from '../listing/page-parameters.ts';
import { type CopySource, findCopySource } from '../object/copy-source.ts';
import { describeObject } from '../object/describe-object.ts';
import { encryptionAnswer } from '../object/object-headers.ts';
import { storeVersion, versionHeader, versioningOf } from '../object/store-version.ts';
import { writeConditions } from '../object/write-conditions.ts';
import type { S3Call, S3Operation } from '../operation.ts';
import { copySource, newKey, onOne } from '../permissions.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import { CHECKSUM_ALGORITHMS, type ObjectDescription } from '../store/object-version.ts';
import { quoted, s3Xml } from '../xml/s3-xml.ts';

const MAX_COPY_BYTES = 5 * 1024 ** 3;

/** The copy shares the source's bytes on disk: any size takes the same time, except for the MD5 of an object uploaded in parts. */
export const copyObject: S3Operation = {
  name: 'CopyObject',
  method: 'PUT',
  on: 'object',
  needsHeader: 'x-amz-copy-source',
  permissions: (call, storage) => [
    ...copySource(call, storage),
    onOne('PutObject', call, call, storage),
    ...newKey(call, storage),
  ],
  async run(call, storage) {
    const { bucket, key, headers, request } = call;
    storage.catalog.bucket(bucket);
    const source = findCopySource(call, storage);
    const { version: original } = source;
    if (original.size > MAX_COPY_BYTES)
      throw new AwsError(
        'InvalidRequest',
        'The specified copy source is larger than the maximum allowable size for a copy source: 5368709120',
      );
    const description = describeCopy(call, storage, source);
    const { segments } = original;
    storage.bodies.retain(segments);
    try {
      const { etag, checksum } = await digestsOf(storage, source, headers['x-amz-checksum-algorithm']);
      const version = storeVersion(storage, {
        bucket,
        key,
        content: {
          lastModifiedMs: storage.nowInSeconds(),
          size: original.size,
          etag,
          segments,
          ...(checksum ? { checksum } : {}),
          ...description,
        },
        conditions: writeConditions(headers),
        reason: 'CopyObject',
        cause: request,
      });
      return {
        xml: s3Xml('CopyObjectResult', {
          LastModified: new Date(version.lastModifiedMs),
          ETag: quoted(version.etag),
          ...(checksum
            ? { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: checksum.type }
            : {}),
        }),
        headers: {
          'x-amz-copy-source-version-id':
            versioningOf(storage, source.bucket) === undefined ? undefined : original.versionId,
          ...encryptionAnswer(version),
          ...versionHeader(storage, bucket, version),
        },
      };
    } finally {
      storage.bodies.release(segments);
    }
  },
};

function describeCopy(
  { bucket, key, headers }: S3Call,
  storage: ObjectStorage,
  source: CopySource,
): ObjectDescription {
  const own = describeObject(storage, bucket, headers);
  const replacesMetadata = directive(headers, 'x-amz-metadata-directive') === 'REPLACE';
  const replacesTags = directive(headers, 'x-amz-tagging-directive') === 'REPLACE';
  const { version } = source;
  const changes = replacesMetadata || replacesTags || headers['x-amz-storage-class'] !== undefined;
  const isCurrent = storage.catalog.bucket(bucket).current(key) === version;
  if (isCurrent && source.bucket === bucket && source.key === key && !changes)
    throw new AwsError(
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's " +
        'metadata, storage class, website redirect location or encryption attributes.',
    );
  // Storage class and encryption are of the copy, whatever the original had.
  const kept = Object.entries(version.headers).filter(([name]) => !name.startsWith('x-amz-'));
  const ownAmz = Object.entries(own.headers).filter(([name]) => name.startsWith('x-amz-'));
  return {
    headers: replacesMetadata ? own.headers : Object.fromEntries([...kept, ...ownAmz]),
    metadata: replacesMetadata ? own.metadata : version.metadata,
    tags: replacesTags ? own.tags : version.tags,
  };
}

function directive(headers: Readonly<Record<string, string>>, name: string): 'COPY' | 'REPLACE' {
  const value = headers[name] ?? 'COPY';
  if (value === 'COPY' || value === 'REPLACE') return value;
  throw invalidArgument(name, value, 'COPY or REPLACE');
}

/** A copy is a single-part object: its ETag is an MD5, and its checksum is of the whole. */
async function digestsOf(storage: ObjectStorage, { version }: CopySource, wanted: string | undefined) {
  const algorithm = CHECKSUM_ALGORITHMS.find((candidate) => candidate === wanted?.toUpperCase());
  if (wanted !== undefined && !algorithm)
    throw invalidArgument('x-amz-checksum-algorithm', wanted, `one of ${CHECKSUM_ALGORITHMS.join(', ')}`);
  const { checksum } = version;
  const keeps = algorithm === undefined || algorithm === checksum?.algorithm;
  if (keeps && version.parts === undefined && checksum?.type !== 'COMPOSITE')
    return { etag: version.etag, checksum };
  const { md5, value } = await readDigests(
    storage,
    version.segments,
    algorithm ?? checksum?.algorithm ?? 'CRC64NVME',
  );
  return {
    etag: md5,
    checksum: {
      algorithm: algorithm ?? checksum?.algorithm ?? ('CRC64NVME' as const),
      value,
      type: 'FULL_OBJECT' as const,
    },
  };
}
