import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import { readVerifiedXml } from '../body/read-verified-xml.ts';
import { checksumHeader } from '../checksum/checksum-digest.ts';
import { type CompletedPart, completedVersion, completeUpload } from '../multipart/complete-upload.ts';
import { findUpload } from '../multipart/find-upload.ts';
import { encryptionAnswer } from '../object/object-headers.ts';
import { storeVersion, versionHeader } from '../object/store-version.ts';
import { checkWriteConditions, writeConditions } from '../object/write-conditions.ts';
import type { S3Answer, S3Call, S3Operation } from '../operation.ts';
import { onObject, uploadKey } from '../permissions.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import type { Checksum, ObjectVersion } from '../store/object-version.ts';
import { listOf, type XmlForm } from '../xml/read-xml.ts';
import { quoted, s3Xml } from '../xml/s3-xml.ts';

const MAX_PARTS = 10_000;

const checksum = z.string().optional();
const Part = z
  .strictObject({
    PartNumber: z.string().regex(/^\d{1,5}$/),
    ETag: z.string(),
    ChecksumCRC32: checksum,
    ChecksumCRC32C: checksum,
    ChecksumCRC64NVME: checksum,
    ChecksumSHA1: checksum,
    ChecksumSHA256: checksum,
  })
  .transform(({ PartNumber, ETag, ...rest }): CompletedPart => {
    const given = Object.entries(rest).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    return { PartNumber, ETag, checksums: Object.fromEntries(given) };
  });

const CompleteMultipartUpload: XmlForm<{ readonly Part: CompletedPart[] }> = {
  root: 'CompleteMultipartUpload',
  lists: ['Part'],
  caps: listOf(MAX_PARTS, 8),
  schema: z.strictObject({ Part: z.array(Part).min(1).max(MAX_PARTS) }),
};

/**
 * `CompleteMultipartUpload`: takes no time whatever the size, so that no error follows a status of 200. A repeated call gets the same
 * answer as long as the version that the first one made is there.
 */
export const completeMultipartUpload: S3Operation = {
  name: 'CompleteMultipartUpload',
  method: 'POST',
  on: 'object',
  needs: ['uploadId'],
  permissions: (call, storage) => [
    ...onObject('PutObject', call, storage),
    ...uploadKey(call, storage, ['Decrypt']),
  ],
  async run(call, storage) {
    const { bucket, key, headers, request } = call;
    // The checksum headers of this call are of the object that it makes, not of its own body.
    const { Part: listed } = await readVerifiedXml(
      { ...call, headers: withoutChecksums(headers) },
      CompleteMultipartUpload,
    );
    const already = completedVersion(call, storage, listed);
    if (already) return toAnswer(call, storage, already);
    const upload = findUpload(call, storage);
    const conditions = writeConditions(headers);
    checkWriteConditions(conditions, storage.catalog.bucket(bucket).current(key));
    const content = completeUpload(upload, listed);
    verifyWhole(headers, content);
    const version = storeVersion(storage, {
      bucket,
      key,
      content,
      conditions,
      reason: 'CompleteMultipartUpload',
      cause: request,
      alongside: [{ op: 'end-upload', uploadId: upload.uploadId }],
    });
    return toAnswer(call, storage, version);
  },
};

function toAnswer({ bucket, key }: S3Call, storage: ObjectStorage, version: ObjectVersion): S3Answer {
  return {
    xml: s3Xml('CompleteMultipartUploadResult', {
      Location: `${storage.site.endpoint()}/${bucket}/${encodeURIComponent(key)}`,
      Bucket: bucket,
      Key: key,
      ETag: quoted(version.etag),
      ...(version.checksum
        ? {
            [`Checksum${version.checksum.algorithm}`]: version.checksum.value,
            ChecksumType: version.checksum.type,
          }
        : {}),
    }),
    headers: { ...encryptionAnswer(version), ...versionHeader(storage, bucket, version) },
  };
}

function withoutChecksums(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('x-amz-checksum-')));
}

function verifyWhole(
  headers: Readonly<Record<string, string>>,
  { size, checksum: whole }: { readonly size: number; readonly checksum?: Checksum | undefined },
): void {
  const announced = headers['x-amz-mp-object-size'];
  if (announced !== undefined && Number(announced) !== size)
    throw new AwsError(
      'InvalidRequest',
      `x-amz-mp-object-size must be the sum of the parts, ${size}, is ${announced}`,
    );
  const claimed = whole && headers[checksumHeader(whole.algorithm)];
  if (whole && claimed !== undefined && claimed !== whole.value)
    throw new AwsError(
      'BadDigest',
      `The ${whole.algorithm} you specified did not match: ${claimed}, not ${whole.value}`,
    );
}
