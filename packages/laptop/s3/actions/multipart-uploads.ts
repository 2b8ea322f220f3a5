import { randomBytes } from 'node:crypto';
import { AwsError } from '../../kernel/aws-error.ts';
import { pageParameters, wholeNumber } from '../listing/page-parameters.ts';
import { findUpload } from '../multipart/find-upload.ts';
import { describeObject } from '../object/describe-object.ts';
import { encryptionAnswer } from '../object/object-headers.ts';
import type { S3Operation } from '../operation.ts';
import { newKey, onBucket, onObject } from '../permissions.ts';
import { toByteOrder } from '../store/byte-order.ts';
import { CHECKSUM_ALGORITHMS } from '../store/object-version.ts';
import { quoted, s3Xml, toOwner } from '../xml/s3-xml.ts';

/** Calls on multipart uploads, apart from their parts and their end. */
export const multipartOperations: readonly S3Operation[] = [
  /** `CreateMultipartUpload`: the type of the checksum is by default `FULL_OBJECT` for CRC64NVME, else `COMPOSITE`. */
  {
    name: 'CreateMultipartUpload',
    method: 'POST',
    on: 'object',
    needs: ['uploads'],
    permissions: (call, storage) => [...onObject('PutObject', call, storage), ...newKey(call, storage)],
    run({ bucket, key, headers }, storage) {
      storage.catalog.bucket(bucket);
      const description = describeObject(storage, bucket, headers);
      const { algorithm, type } = wantedChecksum(headers);
      const uploadId = randomBytes(36).toString('base64url');
      storage.commit({
        op: 'begin-upload',
        upload: {
          uploadId,
          bucket,
          key,
          initiatedMs: storage.nowInSeconds(),
          ...(algorithm ? { checksumAlgorithm: algorithm } : {}),
          ...(type ? { checksumType: type } : {}),
          ...description,
        },
      });
      return {
        xml: s3Xml('InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId: uploadId }),
        headers: {
          'x-amz-checksum-algorithm': algorithm,
          'x-amz-checksum-type': algorithm && type,
          ...encryptionAnswer(description),
        },
      };
    },
  },
  /** `AbortMultipartUpload`: a part that is still on its way is refused with `NoSuchUpload` when its last byte has come. */
  {
    name: 'AbortMultipartUpload',
    method: 'DELETE',
    on: 'object',
    needs: ['uploadId'],
    permissions: (call, storage) => onObject('AbortMultipartUpload', call, storage),
    run(call, storage) {
      const { uploadId } = findUpload(call, storage);
      storage.commit({ op: 'end-upload', uploadId });
      return { status: 204 };
    },
  },
  /** Uploads are few: each page sorts them all. A delimiter is not emulated. */
  {
    name: 'ListMultipartUploads',
    method: 'GET',
    on: 'bucket',
    needs: ['uploads'],
    allows: ['prefix', 'max-uploads', 'encoding-type', 'key-marker', 'upload-id-marker'],
    permissions: onBucket('ListBucketMultipartUploads'),
    run({ bucket, query }, { catalog, site }) {
      catalog.bucket(bucket);
      const { prefix, maxKeys, encode, encodingType } = pageParameters(query, 'max-uploads');
      const marker = { key: query.get('key-marker') ?? '', uploadId: query.get('upload-id-marker') ?? '' };
      const rest = [...catalog.uploads.values()]
        .filter(
          (upload) => upload.bucket === bucket && upload.key.startsWith(prefix) && isAfter(upload, marker),
        )
        .sort((a, b) => (isAfter(a, b) ? 1 : -1));
      const page = rest.slice(0, maxKeys);
      const last = page.length < rest.length ? page.at(-1) : undefined;
      const owner = toOwner(site);
      const xml = s3Xml('ListMultipartUploadsResult', {
        Bucket: bucket,
        KeyMarker: encode(marker.key),
        UploadIdMarker: marker.uploadId,
        NextKeyMarker: last && encode(last.key),
        NextUploadIdMarker: last?.uploadId,
        Prefix: encode(prefix),
        EncodingType: encodingType,
        MaxUploads: maxKeys,
        IsTruncated: last !== undefined,
        Upload: page.map(({ key, uploadId, initiatedMs, checksumAlgorithm, checksumType, headers }) => ({
          Key: encode(key),
          UploadId: uploadId,
          Initiator: owner,
          Owner: owner,
          StorageClass: headers['x-amz-storage-class'] ?? 'STANDARD',
          Initiated: new Date(initiatedMs),
          ChecksumAlgorithm: checksumAlgorithm,
          ChecksumType: checksumAlgorithm && checksumType,
        })),
      });
      return { xml };
    },
  },
  /** `ListParts`: at most 1,000 a page, by part number. */
  {
    name: 'ListParts',
    method: 'GET',
    on: 'object',
    needs: ['uploadId'],
    allows: ['max-parts', 'part-number-marker'],
    permissions: (call, storage) => onObject('ListMultipartUploadParts', call, storage),
    run(call, storage) {
      const upload = findUpload(call, storage);
      const most = Math.min(MAX_PARTS, wholeNumber(call.query, 'max-parts', MAX_PARTS));
      const marker = wholeNumber(call.query, 'part-number-marker', 0);
      const rest = [...upload.parts].filter(([number]) => number > marker).sort(([a], [b]) => a - b);
      const page = rest.slice(0, most);
      const owner = toOwner(storage.site);
      const xml = s3Xml('ListPartsResult', {
        Bucket: upload.bucket,
        Key: upload.key,
        UploadId: upload.uploadId,
        Initiator: owner,
        Owner: owner,
        StorageClass: upload.headers['x-amz-storage-class'] ?? 'STANDARD',
        PartNumberMarker: marker,
        NextPartNumberMarker: page.at(-1)?.[0] ?? 0,
        MaxParts: most,
        IsTruncated: page.length < rest.length,
        ChecksumAlgorithm: upload.checksumAlgorithm,
        ChecksumType: upload.checksumAlgorithm && upload.checksumType,
        Part: page.map(([number, { size, etag, lastModifiedMs, checksum }]) => ({
          PartNumber: number,
          LastModified: new Date(lastModifiedMs),
          ETag: quoted(etag),
          Size: size,
          ...(checksum ? { [`Checksum${checksum.algorithm}`]: checksum.value } : {}),
        })),
      });
      return { xml };
    },
  },
];

function wantedChecksum(headers: Readonly<Record<string, string>>) {
  const named = headers['x-amz-checksum-algorithm']?.toUpperCase();
  const algorithm = CHECKSUM_ALGORITHMS.find((candidate) => candidate === named);
  if (named !== undefined && algorithm === undefined)
    throw new AwsError(
      'InvalidRequest',
      `x-amz-checksum-algorithm must be one of ${CHECKSUM_ALGORITHMS.join(', ')}, is ${named}`,
    );
  const asked = headers['x-amz-checksum-type']?.toUpperCase();
  const byDefault = algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE';
  const type = asked ?? byDefault;
  const isPossible =
    type === 'FULL_OBJECT'
      ? algorithm !== 'SHA1' && algorithm !== 'SHA256'
      : type === 'COMPOSITE' && algorithm !== 'CRC64NVME';
  if (isPossible)
    return { algorithm, type: type === 'FULL_OBJECT' ? ('FULL_OBJECT' as const) : ('COMPOSITE' as const) };
  throw new AwsError(
    'InvalidRequest',
    `The ${type} checksum type cannot be used with the ${named} checksum algorithm.`,
  );
}

interface Marker {
  readonly key: string;
  /** Empty means after every upload of the key. */
  readonly uploadId: string;
}

function isAfter(upload: Marker, marker: Marker): boolean {
  const [a, b] = [toByteOrder(upload.key), toByteOrder(marker.key)];
  if (a !== b) return a > b;
  return marker.uploadId !== '' && upload.uploadId > marker.uploadId;
}

const MAX_PARTS = 1000;
