import { RequestProblem } from './problem-details.ts';

/** One part of a multipart body. */
export interface Part {
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
