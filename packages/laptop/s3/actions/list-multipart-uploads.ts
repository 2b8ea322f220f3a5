import { pageParameters } from '../listing/page-parameters.ts';
import type { S3Operation } from '../operation.ts';
import { onBucket } from '../permissions.ts';
import { toByteOrder } from '../store/byte-order.ts';
import { toOwner } from '../xml/owner.ts';
import { s3Xml } from '../xml/s3-xml.ts';

/** Uploads are few: each page sorts them all. A delimiter is not emulated. */
export const listMultipartUploads: S3Operation = {
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
};

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
