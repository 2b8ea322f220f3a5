import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { XmlValue } from '../../kernel/xml.ts';
import { readVerifiedXml } from '../body/read-verified-xml.ts';
import { deleteVersion } from '../object/delete-version.ts';
import { checkWriteConditions } from '../object/write-conditions.ts';
import type { S3Operation } from '../operation.ts';
import { ofVersion, onOne } from '../permissions.ts';
import { headerNotEmulated } from '../refusals.ts';
import { listOf, type XmlForm } from '../xml/read-xml.ts';
import { s3Xml } from '../xml/s3-xml.ts';

const MAX_OBJECTS = 1000;

const Item = z.strictObject({
  Key: z.string().min(1),
  VersionId: z.string().optional(),
  ETag: z.string().optional(),
});
const Delete: XmlForm<{ Object: z.infer<typeof Item>[]; Quiet?: string | undefined }> = {
  root: 'Delete',
  lists: ['Object'],
  caps: listOf(MAX_OBJECTS, 4),
  schema: z.strictObject({ Object: z.array(Item).min(1).max(MAX_OBJECTS), Quiet: z.string().optional() }),
};

/** Calls that delete objects. */
export const deleteOperations: readonly S3Operation[] = [
  /** `DeleteObjects`: deletes or refuses each key on its own. The role's rights are checked for all keys first. */
  {
    name: 'DeleteObjects',
    method: 'POST',
    on: 'bucket',
    needs: ['delete'],
    /** One permission an object; where AWS refuses some and deletes the others, this stack refuses all. */
    async permissions(call, storage) {
      const { Object: items } = await readVerifiedXml(call, Delete);
      return items.map(({ Key, VersionId }) =>
        onOne(
          VersionId === undefined ? 'DeleteObject' : 'DeleteObjectVersion',
          { bucket: call.bucket, key: Key },
          call,
          storage,
        ),
      );
    },
    async run(call, storage) {
      const { bucket, request } = call;
      const state = storage.catalog.bucket(bucket);
      const { Object: items, Quiet } = await readVerifiedXml(call, Delete);
      const deleted: XmlValue[] = [];
      const failed: XmlValue[] = [];
      for (const { Key, VersionId, ETag } of items) {
        try {
          checkWriteConditions({ ifMatch: ETag }, state.current(Key));
          const { versionId, deleteMarker } = deleteVersion(
            storage,
            { bucket, key: Key, versionId: VersionId },
            request,
          );
          deleted.push({
            Key,
            VersionId,
            DeleteMarker: deleteMarker || undefined,
            DeleteMarkerVersionId: deleteMarker ? versionId : undefined,
          });
        } catch (error) {
          if (!(error instanceof AwsError)) throw error;
          failed.push({ Key, VersionId, Code: error.code, Message: error.message });
        }
      }
      return {
        xml: s3Xml('DeleteResult', { Deleted: Quiet === 'true' ? undefined : deleted, Error: failed }),
      };
    },
  },
  /** `DeleteObject`: `If-Match` is compared with the current version. A key that is not there is answered with 204. */
  {
    name: 'DeleteObject',
    method: 'DELETE',
    on: 'object',
    allows: ['versionId'],
    permissions: (call, storage) => [onOne(ofVersion('DeleteObject', call), call, call, storage)],
    run({ bucket, key, query, headers, request }, storage) {
      refuseConditions(headers);
      checkWriteConditions({ ifMatch: headers['if-match'] }, storage.catalog.bucket(bucket).current(key));
      const versionId = query.get('versionId') ?? undefined;
      const deletion = deleteVersion(storage, { bucket, key, versionId }, request);
      return {
        status: 204,
        headers: {
          'x-amz-version-id': deletion.versionId,
          'x-amz-delete-marker': deletion.deleteMarker ? 'true' : undefined,
        },
      };
    },
  },
];

/** Refuses conditions that only directory buckets have, as AWS does: ignoring one would delete the object that it protects. */
function refuseConditions(headers: Readonly<Record<string, string>>): void {
  const name = Object.keys(headers).find((header) => header.startsWith('x-amz-if-match-'));
  if (name === undefined) return;
  throw headerNotEmulated(name);
}
