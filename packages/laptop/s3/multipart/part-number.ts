import { invalidArgument } from '../listing/page-parameters.ts';

const MAX_PART_NUMBER = 10_000;

/** @throws {AwsError} `InvalidArgument` */
export function parsePartNumber(query: URLSearchParams): number {
  const text = query.get('partNumber') ?? '';
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number >= 1 && number <= MAX_PART_NUMBER) return number;
  throw invalidArgument('partNumber', text, `1..${MAX_PART_NUMBER}`);
}
