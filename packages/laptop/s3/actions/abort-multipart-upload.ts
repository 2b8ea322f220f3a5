import { findUpload } from '../multipart/find-upload.ts';
import type { S3Operation } from '../operation.ts';
import { onObject } from '../permissions.ts';

/** `AbortMultipartUpload`: a part that is still on its way is refused with `NoSuchUpload` when its last byte has come. */
export const abortMultipartUpload: S3Operation = {
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
};
