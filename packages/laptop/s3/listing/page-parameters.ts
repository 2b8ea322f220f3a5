import { AwsError } from '../../kernel/aws-error.ts';
import { toUrlEncoded } from '../xml/s3-xml.ts';

const MAX_KEYS = 1000;

/** Parameters that all listings have in common. */
export interface PageParameters {
  readonly prefix: string;
  readonly delimiter: string;
  readonly maxKeys: number;
  /** Writes keys as the client asked for them. */
  readonly encode: (text: string) => string;
  readonly encodingType: 'url' | undefined;
}

/** @throws {AwsError} `InvalidArgument` */
export function pageParameters(query: URLSearchParams, limitName = 'max-keys'): PageParameters {
  const encodingType = query.get('encoding-type') ?? undefined;
  if (encodingType !== undefined && encodingType !== 'url')
    throw invalidArgument('encoding-type', encodingType, 'url');
  return {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    maxKeys: Math.min(MAX_KEYS, wholeNumber(query, limitName, MAX_KEYS)),
    encode: encodingType === 'url' ? toUrlEncoded : (text) => text,
    encodingType,
  };
}

/** @throws {AwsError} `InvalidArgument` */
export function wholeNumber(
  parameters: { get(name: string): string | null | undefined },
  name: string,
  byDefault: number,
): number {
  const text = parameters.get(name) ?? '';
  if (text === '') return byDefault;
  if (!/^\d{1,9}$/.test(text)) throw invalidArgument(name, text, '0..2147483647');
  return Number(text);
}

/** The refusal of a query parameter or header, with the value that it has and those that are allowed. */
export function invalidArgument(name: string, value: string, allowed: string): AwsError {
  return new AwsError('InvalidArgument', `Provided ${name} must be ${allowed}, is ${value}`, {
    details: { ArgumentName: name, ArgumentValue: value },
  });
}
