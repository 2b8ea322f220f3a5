import { wholeNumber } from '../listing/page-parameters.ts';
import { findUpload } from '../multipart/find-upload.ts';
import type { S3Operation } from '../operation.ts';
import { onObject } from '../permissions.ts';
import { toOwner } from '../xml/owner.ts';
import { quoted, s3Xml } from '../xml/s3-xml.ts';

const MAX_PARTS = 1000;

/** `ListParts`: at most 1,000 a page, by part number. */
export const listParts: S3Operation = {
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
};
