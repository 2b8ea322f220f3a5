import { AwsError } from '../../kernel/aws-error.ts';

/** `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a `Range` header; undefined means the whole object, as for anything that is not a single range of bytes.
 *
 * @throws {AwsError} `InvalidRange` if no byte of the object is in it
 */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const range = /^\s*bytes\s*=\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/.exec(header ?? '');
  const [, first = '', last = ''] = range ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  // A range with an end before its start is ignored, and the whole object is returned.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= size) {
    throw new AwsError('InvalidRange', 'The requested range is not satisfiable', {
      statusCode: 416,
      details: { RangeRequested: header, ActualObjectSize: size },
      headers: { 'content-range': `bytes */${size}` },
    });
  }
  return { start, end };
}
