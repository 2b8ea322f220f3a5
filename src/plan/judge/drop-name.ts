import type { Problem } from '../../problem/problem.ts';

/** SageMaker's pattern of an S3Uri is `(https|s3)://([^/]+)/?(.*)`, in which no line break fits: \n, \r, NEL, U+2028, U+2029. */
const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/;

/** Problem of a drop with a name that S3 allows in keys, but SageMaker, or a reader of the link to its report, doesn't. */
export function dropNameProblems(drop: string): Problem[] {
  const value = JSON.stringify(drop);
  if (drop === '.' || drop === '..') {
    const message =
      `must not be a step between folders, is ${value}: browsers take it in a link for one, and could not open the ` +
      'report; upload the files under another name';
    return [{ file: 'drop', field: '', value, message }];
  }
  if (!LINE_BREAK.test(drop)) return [];
  const message =
    `must have no line break in its name, is ${value}: SageMaker takes none in an address; upload the files under ` +
    'another name';
  return [{ file: 'drop', field: '', value, message }];
}
