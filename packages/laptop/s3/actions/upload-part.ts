import { receiveBody } from '../body/receive-body.ts';
import { checksumHeader } from '../checksum/checksum-digest.ts';
import { findUpload } from '../multipart/find-upload.ts';
import { parsePartNumber } from '../multipart/part-number.ts';
import { encryptionAnswer } from '../object/object-headers.ts';
import type { S3Operation } from '../operation.ts';
import { onObject, uploadKey } from '../permissions.ts';
import { quoted } from '../xml/s3-xml.ts';

/** `UploadPart`: up to 5 GiB, under the number 1..10,000. A part of the same number takes the place of the earlier one. */
export const uploadPart: S3Operation = {
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
};
