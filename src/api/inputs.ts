import { bodyOf, type HttpRequest } from './http-request.ts';
import { MAX_BODY_BYTES, MAX_INPUTS } from './limits.ts';
import { essenceOf, INPUT_TYPES, isImageType, isRecordsType, UNTYPED } from './media-type.ts';
import { RequestProblem } from './problem-details.ts';

/** Kinds of request bodies that are handled differently. */
type BodyKind = 'image' | 'records' | 'multipart';

/** A Content-Type without its parameters, and one of them. */
interface MediaType {
  readonly kind: BodyKind;
  /** In lower case, such as `image/png`. */
  readonly essence: string;
  /** The `boundary` parameter of `multipart/form-data`. */
  readonly boundary: string | undefined;
}

/** One part of a multipart body. */
interface Part {
  /** File name, or else the field's name, or else `part <n>`. */
  readonly name: string;
  /** In lower case, without parameters; `application/octet-stream` if the part names none. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

const HEADER_END = '\r\n\r\n';
const MAX_HEADER_BYTES = 8_192;
const FILENAME = /;\s*filename=(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i;
const NAME = /;\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i;

/** One request to the container. */
export interface Input {
  /** Name of a part of a multipart body; null for a body that is the input. */
  readonly name: string | null;
  /** `application/octet-stream` for a part that names no type. */
  readonly essence: string;
  readonly bytes: Uint8Array;
}

/**
 * The inputs of a request: its body, or the parts of a multipart one.
 *
 * @throws {RequestProblem} `body-too-large`, `unsupported-media-type`, `invalid-request`
 */
export function readInputs(request: HttpRequest): readonly Input[] {
  const bytes = bodyOf(request);
  if (bytes.length > MAX_BODY_BYTES) {
    const detail = `the body must have at most ${MAX_BODY_BYTES} bytes, has ${bytes.length}: drop larger files into a prefix instead`;
    throw new RequestProblem('body-too-large', detail);
  }
  const media = parseMediaType(request.headers['content-type']);
  const inputs = toInputs(bytes, media);
  for (const input of inputs) {
    if (input.bytes.length > 0) continue;
    const what = input.name === null ? 'the body' : `part ${JSON.stringify(input.name)}`;
    throw new RequestProblem('invalid-request', `${what} must not be empty`);
  }
  return inputs;
}

function toInputs(bytes: Uint8Array, { kind, essence, boundary }: MediaType): readonly Input[] {
  if (kind !== 'multipart' || boundary === undefined) return [{ name: null, essence, bytes }];
  return parseMultipart(bytes, boundary, MAX_INPUTS).map(({ name, contentType, bytes: part }) => {
    if (contentType !== UNTYPED && !INPUT_TYPES.includes(contentType)) {
      const detail =
        `part ${JSON.stringify(name)} must be one of ${INPUT_TYPES.join(', ')}, or name no type; it is ${contentType}. ` +
        `With curl: -F 'image=@FILE;type=image/png'`;
      throw new RequestProblem('unsupported-media-type', detail);
    }
    return { name, essence: contentType, bytes: part };
  });
}

/**
 * Reads a `multipart/form-data` body (RFC 7578).
 *
 * @throws {RequestProblem} `invalid-request` if the body is malformed, or has more than `most` parts
 */
export function parseMultipart(body: Uint8Array, boundary: string, most: number): readonly Part[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const opening = Buffer.from(`--${boundary}`, 'latin1');
  // Anything before the first delimiter is ignored (RFC 2046).
  let at = bytes.subarray(0, opening.length).equals(opening)
    ? opening.length
    : positionAfter(bytes, delimiter, 0);
  const parts: Part[] = [];
  for (;;) {
    if (at < 0)
      throw new RequestProblem('invalid-request', 'the multipart body does not end with its boundary');
    if (bytes.toString('latin1', at, at + 2) === '--') break;
    const end = bytes.indexOf(delimiter, at);
    if (end < 0)
      throw new RequestProblem('invalid-request', 'the multipart body does not end with its boundary');
    if (parts.length === most)
      throw new RequestProblem(
        'invalid-request',
        `the multipart body must have at most ${most} parts: drop more files into a prefix instead`,
      );
    // White space may follow a boundary on its line.
    const line = bytes.indexOf('\r\n', at, 'latin1');
    parts.push(toPart(bytes.subarray(line + 2, end), parts.length + 1));
    at = end + delimiter.length;
  }
  if (parts.length === 0) throw new RequestProblem('invalid-request', 'the multipart body has no part');
  return parts;
}

function positionAfter(bytes: Buffer, text: Buffer, from: number): number {
  const at = bytes.indexOf(text, from);
  return at < 0 ? -1 : at + text.length;
}

function toPart(bytes: Buffer, number: number): Part {
  const startsEmpty = bytes.toString('latin1', 0, 2) === '\r\n';
  const end = startsEmpty ? -2 : bytes.indexOf(HEADER_END, 0, 'latin1');
  if (!startsEmpty && (end < 0 || end > MAX_HEADER_BYTES))
    throw new RequestProblem('invalid-request', `part ${number} of the multipart body has no headers`);
  const headers = bytes.toString('utf8', 0, Math.max(0, end));
  const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? '';
  const name = parameter(disposition, FILENAME) ?? parameter(disposition, NAME) ?? `part ${number}`;
  const contentType = /^content-type:\s*([^;\r\n]+)/im.exec(headers)?.[1]?.trim().toLowerCase();
  return {
    name,
    contentType: contentType ?? 'application/octet-stream',
    bytes: bytes.subarray(end + HEADER_END.length),
  };
}

function parameter(disposition: string, pattern: RegExp): string | undefined {
  const [, quoted, bare] = pattern.exec(disposition) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? bare;
}

/**
 * Parses a Content-Type.
 *
 * @throws {RequestProblem} `unsupported-media-type` for one that is not accepted
 */
export function parseMediaType(contentType: string | undefined): MediaType {
  const essence = essenceOf(contentType ?? '');
  if (isImageType(essence)) return { kind: 'image', essence, boundary: undefined };
  if (isRecordsType(essence)) return { kind: 'records', essence, boundary: undefined };
  if (essence === 'multipart/form-data') {
    const [, quoted, bare] =
      /;\s*boundary=(?:"([^"]{1,70})"|([^\s";,]{1,70}))/i.exec(contentType ?? '') ?? [];
    const boundary = quoted ?? bare;
    if (boundary === undefined)
      throw new RequestProblem('invalid-request', 'Content-Type multipart/form-data must name its boundary');
    return { kind: 'multipart', essence, boundary };
  }
  const given = essence === '' ? 'is missing' : `is ${essence.slice(0, 100)}`;
  throw new RequestProblem(
    'unsupported-media-type',
    `Content-Type must be one of ${INPUT_TYPES.join(', ')}, multipart/form-data; it ${given}`,
  );
}
