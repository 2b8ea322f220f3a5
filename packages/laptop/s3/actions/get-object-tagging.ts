import { findVersion } from '../object/find-version.ts';
import { versionHeader } from '../object/store-version.ts';
import { toTagSet } from '../object/tags.ts';
import type { S3Operation } from '../operation.ts';
import { onObject } from '../permissions.ts';
import { s3Xml } from '../xml/s3-xml.ts';

/** `GetObjectTagging`: an empty set for a version without tags. */
export const getObjectTagging: S3Operation = {
  name: 'GetObjectTagging',
  method: 'GET',
  on: 'object',
  needs: ['tagging'],
  allows: ['versionId'],
  permissions: (call, storage) => onObject('GetObjectTagging', call, storage),
  run({ bucket, key, query }, storage) {
    const version = findVersion(storage, { bucket, key }, query.get('versionId') ?? undefined);
    return {
      xml: s3Xml('Tagging', toTagSet(version.tags)),
      headers: versionHeader(storage, bucket, version),
    };
  },
};
