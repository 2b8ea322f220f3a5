import { essenceOf, INPUT_TYPES, isImageType, isRecordsType } from './media-type.ts';
import { RequestProblem } from './problem-details.ts';

/** Kinds of request bodies that are handled differently. */
type BodyKind = 'image' | 'records' | 'multipart';

/** A Content-Type without its parameters, and one of them. */
export interface MediaType {
  readonly kind: BodyKind;
  /** In lower case, such as `image/png`. */
  readonly essence: string;
  /** The `boundary` parameter of `multipart/form-data`. */
  readonly boundary: string | undefined;
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
