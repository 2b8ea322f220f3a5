import { READ_PARAMETERS, readAnswer } from '../object/read-answer.ts';
import type { S3Operation } from '../operation.ts';
import { readObject } from '../permissions.ts';

/** `HeadObject`: the headers of GetObject for the same range or part. */
export const headObject: S3Operation = {
  name: 'HeadObject',
  method: 'HEAD',
  on: 'object',
  allows: READ_PARAMETERS,
  permissions: readObject,
  run: readAnswer,
};
