import { AwsError } from '../../kernel/aws-error.ts';
import { checksumHeader } from '../checksum/checksum-digest.ts';
import { invalidArgument } from '../listing/page-parameters.ts';
import type { S3Answer, S3Call } from '../operation.ts';
import { slice } from '../store/bodies.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import type { ObjectVersion } from '../store/object-version.ts';
import { findVersion } from './find-version.ts';
import { checksumHeaders, objectHeaders } from './object-headers.ts';
import { checkReadConditions } from './read-conditions.ts';

/** Query parameters with which a presigned URL sets headers of its answer. */
const OVERRIDES = {
  'response-cache-control': 'cache-control',
  'response-content-disposition': 'content-disposition',
  'response-content-encoding': 'content-encoding',
  'response-content-language': 'content-language',
  'response-content-type': 'content-type',
  'response-expires': 'expires',
} as const;

/** Query parameters that GetObject and HeadObject allow. */
export const READ_PARAMETERS: readonly string[] = ['versionId', 'partNumber', ...Object.keys(OVERRIDES)];

/**
 * The answer to a GetObject; HeadObject's is the same without the bytes.
 *
 * @throws {AwsError} as of `findVersion`, `checkReadConditions` and `parseRange`; `InvalidPartNumber`, `InvalidRequest` for
 * a part and a range at once
 */
export function readAnswer({ bucket, key, query, headers }: S3Call, storage: ObjectStorage): S3Answer {
  const version = findVersion(storage, { bucket, key }, query.get('versionId') ?? undefined);
  checkReadConditions(headers, version);
  const overrides = Object.entries(OVERRIDES).flatMap(([name, header]) => {
    const value = query.get(name);
    if (value === null) return [];
    checkHeaderValue(name, value);
    return [[header, value] as const];
  });
  const wantsChecksum = headers['x-amz-checksum-mode']?.toUpperCase() === 'ENABLED';
  const part = query.get('partNumber');
  if (part !== null && headers['range'] !== undefined)
    throw new AwsError('InvalidRequest', 'Cannot specify both Range header and partNumber query parameter');
  const { range, extra } =
    part === null
      ? { range: parseRange(headers['range'], version.size), extra: {} }
      : partOf(version, part, wantsChecksum);
  // A checksum of the whole says nothing about a part of the bytes.
  const checksum = wantsChecksum && range === undefined ? checksumHeaders(version) : {};
  const { start, end } = range ?? { start: 0, end: version.size };
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      ...objectHeaders(storage, bucket, version),
      ...checksum,
      ...extra,
      ...Object.fromEntries(overrides),
      ...browserGuards(version.headers['content-type'], query.get('response-content-type')),
      ...(range === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${version.size}` }),
    },
    body: {
      segments: range === undefined ? version.segments : slice(version.segments, start, end),
      size: end - start,
    },
  };
}

/** @throws {AwsError} `InvalidArgument` for characters that a header can't carry, in S3's words */
function checkHeaderValue(name: string, value: string): void {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return;
  throw new AwsError('InvalidArgument', 'Header value cannot be represented using ISO-8859-1.', {
    details: { ArgumentName: name, ArgumentValue: value },
  });
}

function partOf(
  { parts, size }: ObjectVersion,
  text: string,
  wantsChecksum: boolean,
): { readonly range: ByteRange | undefined; readonly extra: Readonly<Record<string, string>> } {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 10_000)
    throw invalidArgument('partNumber', text, '1..10000');
  if (parts === undefined) {
    if (number === 1) return { range: size === 0 ? undefined : { start: 0, end: size }, extra: {} };
    throw noSuchPart(number, 1);
  }
  const at = number - 1;
  const part = parts[at];
  if (!part) throw noSuchPart(number, parts.length);
  const start = parts.slice(0, at).reduce((sum, before) => sum + before.size, 0);
  const checksum =
    wantsChecksum && part.checksum ? { [checksumHeader(part.checksum.algorithm)]: part.checksum.value } : {};
  return {
    range: { start, end: start + part.size },
    extra: { 'x-amz-mp-parts-count': String(parts.length), ...checksum },
  };
}

function noSuchPart(number: number, count: number): AwsError {
  return new AwsError('InvalidPartNumber', 'The requested partnumber is not satisfiable', {
    statusCode: 416,
    details: { PartNumberRequested: number, ActualPartCount: count },
  });
}

/** Types that a browser runs scripts of. */
const ACTIVE = /^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml|text\/xml|application\/xml)\b/i;

/**
 * Headers that keep a stored text from acting on the stack when a browser opens it: here every object has the stack's own origin,
 * while each bucket of AWS has an origin of its own. SDKs take no notice of them.
 *
 * @param stored the object's own Content-Type: what was stored as a page may run its scripts, in an origin of its own
 * @param override `response-content-type` of the address: what was stored as something else is not opened as a page
 */
function browserGuards(
  stored: string | undefined,
  override: string | null,
): Readonly<Record<string, string>> {
  const isPage = override === null && /^text\/html\b/i.test(stored ?? '');
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': isPage ? 'sandbox allow-scripts allow-popups allow-downloads' : 'sandbox',
    ...(override !== null && ACTIVE.test(override) && { 'content-disposition': 'attachment' }),
  };
}

/** `end` is exclusive. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a `Range` header; undefined means the whole object, as for anything that is not a single range of bytes.
 *
 * @throws {AwsError} `InvalidRange` if no byte of the object is in it
 */
function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const range = /^\s*bytes\s*=\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/.exec(header ?? '');
  const [, first = '', last = ''] = range ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  // A range with an end before its start is ignored, and the whole object is returned.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= size)
    throw new AwsError('InvalidRange', 'The requested range is not satisfiable', {
      statusCode: 416,
      details: { RangeRequested: header, ActualObjectSize: size },
      headers: { 'content-range': `bytes */${size}` },
    });
  return { start, end };
}
