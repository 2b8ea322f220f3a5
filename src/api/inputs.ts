import { bodyOf, type HttpRequest } from './http-request.ts';
import { MAX_BODY_BYTES, MAX_INPUTS } from './limits.ts';
import { INPUT_TYPES, UNTYPED } from './media-type.ts';
import { parseMultipart } from './multipart.ts';
import { type MediaType, parseMediaType } from './parse-media-type.ts';
import { RequestProblem } from './problem-details.ts';

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
