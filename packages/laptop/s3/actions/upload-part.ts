import { AwsError } from '../../kernel/aws-error.ts';
import { readDigests, receiveBody } from '../body/receive-body.ts';
import { checksumHeader } from '../checksum/checksum-digest.ts';
import { invalidArgument } from '../listing/page-parameters.ts';
import { findUpload, parsePartNumber } from '../multipart/find-upload.ts';
import { findCopySource } from '../object/copy-source.ts';
import { encryptionAnswer } from '../object/object-headers.ts';
import { versioningOf } from '../object/store-version.ts';
import type { S3Operation } from '../operation.ts';
import { copySource, onObject, onOne, uploadKey } from '../permissions.ts';
import { slice } from '../store/bodies.ts';
import { quoted, s3Xml } from '../xml/s3-xml.ts';

/** Parts of multipart uploads. */
export const partOperations: readonly S3Operation[] = [
  /** `UploadPart`: up to 5 GiB, under the number 1..10,000. A part of the same number takes the place of the earlier one. */
  {
    name: 'UploadPart',
    method: 'PUT',
    on: 'object',
    needs: ['uploadId', 'partNumber'],
    permissions: (call, storage) => [
      ...onObject('PutObject', call, storage),
      ...uploadKey(call, storage, ['GenerateDataKey', 'Decrypt']),
    ],
    async run(call, storage) {
      const upload = findUpload(call, storage);
      const number = parsePartNumber(call.query);
      const { segments, size, md5, checksum } = await receiveBody(call, storage, upload.checksumAlgorithm);
      try {
        // The upload may have been completed or aborted while the part was on its way.
        findUpload(call, storage);
        const part = { size, etag: md5, lastModifiedMs: storage.nowInSeconds(), segments, checksum };
        storage.commit({ op: 'put-part', uploadId: upload.uploadId, number, part });
      } finally {
        storage.bodies.release(segments);
      }
      return {
        headers: {
          etag: quoted(md5),
          [checksumHeader(checksum.algorithm)]: checksum.value,
          ...encryptionAnswer(upload),
        },
      };
    },
  },
  /** `UploadPartCopy`: the part shares the source's bytes on disk, which are read for MD5 and checksum. */
  {
    name: 'UploadPartCopy',
    method: 'PUT',
    on: 'object',
    needs: ['uploadId', 'partNumber'],
    needsHeader: 'x-amz-copy-source',
    permissions: (call, storage) => [
      ...copySource(call, storage),
      onOne('PutObject', call, call, storage),
      ...uploadKey(call, storage, ['GenerateDataKey', 'Decrypt']),
    ],
    async run(call, storage) {
      const upload = findUpload(call, storage);
      const number = parsePartNumber(call.query);
      const source = findCopySource(call, storage);
      const { start, end } = sourceRange(call.headers['x-amz-copy-source-range'], source.version.size);
      const segments = slice(source.version.segments, start, end);
      storage.bodies.retain(segments);
      try {
        const algorithm = upload.checksumAlgorithm ?? 'CRC64NVME';
        const { md5, value } = await readDigests(storage, segments, algorithm);
        findUpload(call, storage);
        const lastModifiedMs = storage.nowInSeconds();
        const part = {
          size: end - start,
          etag: md5,
          lastModifiedMs,
          segments,
          checksum: { algorithm, value },
        };
        storage.commit({ op: 'put-part', uploadId: upload.uploadId, number, part });
        return {
          xml: s3Xml('CopyPartResult', {
            LastModified: new Date(lastModifiedMs),
            ETag: quoted(md5),
            [`Checksum${algorithm}`]: value,
          }),
          headers: {
            'x-amz-copy-source-version-id':
              versioningOf(storage, source.bucket) === undefined ? undefined : source.version.versionId,
          },
        };
      } finally {
        storage.bodies.release(segments);
      }
    },
  },
];

/** Unlike a reader's range, it needs a start and an end, both within the source. */
function sourceRange(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } {
  if (header === undefined) return { start: 0, end: size };
  const range = /^bytes=(\d+)-(\d+)$/.exec(header);
  if (!range) throw invalidArgument('x-amz-copy-source-range', header, 'bytes=first-last');
  const [start, end] = [Number(range[1]), Number(range[2]) + 1];
  if (start < end && end <= size) return { start, end };
  throw new AwsError('InvalidArgument', `Range specified is not valid for source object of size: ${size}`, {
    details: { ArgumentName: 'x-amz-copy-source-range', ArgumentValue: header },
  });
}
