import { createHash } from 'node:crypto';
import { AwsError } from '../../kernel/aws-error.ts';
import { checksumOf } from '../checksum/checksum-digest.ts';
import { combineCrc } from '../checksum/combine-crc.ts';
import { unquoted } from '../object/write-conditions.ts';
import type { S3Call } from '../operation.ts';
import { toByteOrder } from '../store/byte-order.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import type { Checksum, ObjectVersion } from '../store/object-version.ts';
import type { Upload, UploadPart } from '../store/upload.ts';

/** All parts but the last. */
const MIN_PART_BYTES = 5 * 1024 * 1024;

/** A part as CompleteMultipartUpload lists it; the ETag may have quotes. */
export interface CompletedPart {
  readonly PartNumber: string;
  readonly ETag: string;
  /** Checksums by element name, as in `ChecksumCRC32`. */
  readonly checksums: Readonly<Record<string, string>>;
}

/**
 * Puts parts together to an object. No byte is read or copied: the object refers to the parts' files, its ETag is made of the parts'
 * MD5s, and its checksum of their checksums.
 *
 * @throws {AwsError} `InvalidPart`, `InvalidPartOrder`, `EntityTooSmall`
 */
export function completeUpload(
  upload: Upload,
  listed: readonly CompletedPart[],
): Omit<ObjectVersion, 'versionId'> {
  const parts = listed.map((part, index) => findPart(upload, part, listed[index - 1]));
  for (const [index, part] of parts.slice(0, -1).entries()) {
    if (part.size < MIN_PART_BYTES)
      throw new AwsError('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size', {
        details: {
          ProposedSize: part.size,
          MinSizeAllowed: MIN_PART_BYTES,
          PartNumber: listed[index]?.PartNumber ?? '',
          ETag: part.etag,
        },
      });
  }
  const { headers, metadata, tags, initiatedMs } = upload;
  const checksum = combinedChecksum(upload, parts);
  return {
    lastModifiedMs: initiatedMs,
    size: parts.reduce((sum, { size }) => sum + size, 0),
    etag: multipartEtag(parts.map(({ etag }) => etag)),
    segments: parts.flatMap(({ segments }) => segments),
    ...(checksum ? { checksum } : {}),
    parts: parts.map(({ size, checksum: ofPart }) => ({ size, ...(ofPart ? { checksum: ofPart } : {}) })),
    uploadId: upload.uploadId,
    headers,
    metadata,
    tags,
  };
}

function findPart(upload: Upload, listed: CompletedPart, before: CompletedPart | undefined): UploadPart {
  if (before && Number(before.PartNumber) >= Number(listed.PartNumber))
    throw new AwsError(
      'InvalidPartOrder',
      `The list of parts was not in ascending order: ${listed.PartNumber} after ${before.PartNumber}`,
    );
  const part = upload.parts.get(Number(listed.PartNumber));
  const isSame = part?.etag === unquoted(listed.ETag);
  const checksum = part?.checksum && listed.checksums[`Checksum${part.checksum.algorithm}`];
  if (part && isSame && (checksum === undefined || checksum === part.checksum?.value)) return part;
  throw new AwsError(
    'InvalidPart',
    'One or more of the specified parts could not be found. The part may not have been uploaded, or its entity tag or ' +
      'checksum may not match.',
    { details: { UploadId: upload.uploadId, PartNumber: listed.PartNumber, ETag: unquoted(listed.ETag) } },
  );
}

function combinedChecksum({ checksumType }: Upload, parts: readonly UploadPart[]): Checksum | undefined {
  const algorithm = parts[0]?.checksum?.algorithm;
  const values = parts.map(({ checksum }) =>
    checksum?.algorithm === algorithm ? checksum?.value : undefined,
  );
  if (algorithm === undefined || values.includes(undefined)) return undefined;
  const isCrc = algorithm === 'CRC32' || algorithm === 'CRC32C' || algorithm === 'CRC64NVME';
  // CRC-64/NVME is only ever of the whole object, the SHAs only of the parts.
  const type = algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : (checksumType ?? 'COMPOSITE');
  if (type === 'FULL_OBJECT' && isCrc) {
    const value = parts.reduce((whole, { checksum, size }, index) => {
      const next = checksum?.value ?? '';
      return index === 0 ? next : combineCrc(algorithm, whole, next, size);
    }, '');
    return { algorithm, value, type };
  }
  const bytes = Buffer.concat(values.map((value) => Buffer.from(value ?? '', 'base64')));
  return { algorithm, value: `${checksumOf(algorithm, bytes)}-${parts.length}`, type: 'COMPOSITE' };
}

/** The ETag of an object in parts, without quotes: the MD5 of its parts' MD5s (hexadecimal) and their number. */
function multipartEtag(md5s: readonly string[]): string {
  const bytes = Buffer.concat(md5s.map((md5) => Buffer.from(md5, 'hex')));
  return `${createHash('md5').update(bytes).digest('hex')}-${md5s.length}`;
}

/**
 * Version made by an earlier completion of the same upload with the same parts, while it exists: a client that lost the answer can
 * ask again.
 *
 * @throws {AwsError} `NoSuchBucket`
 */
export function completedVersion(
  { bucket, key, query }: Pick<S3Call, 'bucket' | 'key' | 'query'>,
  { catalog }: ObjectStorage,
  listed: readonly CompletedPart[],
): ObjectVersion | undefined {
  const etag = multipartEtag(listed.map(({ ETag }) => unquoted(ETag)));
  return catalog
    .bucket(bucket)
    .versionsAt(toByteOrder(key))
    .find((version) => version.uploadId === query.get('uploadId') && version.etag === etag);
}
