import { findVersion } from '../object/find-version.ts';
import { READ_PARAMETERS, readAnswer } from '../object/read-answer.ts';
import { versionHeader } from '../object/store-version.ts';
import { toTagSet } from '../object/tags.ts';
import type { S3Operation } from '../operation.ts';
import { objectKey, onObject, readObject } from '../permissions.ts';
import { s3Xml } from '../xml/s3-xml.ts';

/** Calls that read an object. */
export const readOperations: readonly S3Operation[] = [
  /** `GetObject`: whole, by one range, or by part number. Several ranges at once are answered with the whole object, as S3 does. */
  {
    name: 'GetObject',
    method: 'GET',
    on: 'object',
    allows: READ_PARAMETERS,
    permissions: (call, storage) => [...readObject(call, storage), ...objectKey(call, storage)],
    run: readAnswer,
  },
  /** `HeadObject`: the headers of GetObject for the same range or part. */
  {
    name: 'HeadObject',
    method: 'HEAD',
    on: 'object',
    allows: READ_PARAMETERS,
    permissions: readObject,
    run: readAnswer,
  },
  /** `GetObjectTagging`: an empty set for a version without tags. */
  {
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
  },
];
