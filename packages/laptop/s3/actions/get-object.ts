import { READ_PARAMETERS, readAnswer } from '../object/read-answer.ts';
import type { S3Operation } from '../operation.ts';
import { objectKey, readObject } from '../permissions.ts';

/** `GetObject`: whole, by one range, or by part number. Several ranges at once are answered with the whole object, as S3 does. */
export const getObject: S3Operation = {
  name: 'GetObject',
  method: 'GET',
  on: 'object',
  allows: READ_PARAMETERS,
  permissions: (call, storage) => [...readObject(call, storage), ...objectKey(call, storage)],
  run: readAnswer,
};
