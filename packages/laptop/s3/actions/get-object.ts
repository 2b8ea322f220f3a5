import { READ_PARAMETERS, readAnswer } from '../object/read-answer.ts';
import type { S3Operation } from '../operation.ts';

export const getObject: S3Operation = {
  name: 'GetObject',
  method: 'GET',
  on: 'object',
  allows: READ_PARAMETERS,
  run: readAnswer,
};
