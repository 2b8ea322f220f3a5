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

const IMAGES = new Set([
  'application/x-image',
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/bmp',
  'image/tiff',
]);
const RECORDS = new Set(['application/json', 'application/jsonlines', 'text/csv']);

/** Content types of an input: as in a drop, images of any kind. */
export const INPUT_TYPES: readonly string[] = [...IMAGES, ...RECORDS];

/** Content type of a part whose client does not know its type; the part is sent under the pipeline's type. */
export const UNTYPED = 'application/octet-stream';

/**
 * Parses a Content-Type.
 *
 * @throws {RequestProblem} `unsupported-media-type` for one that is not accepted
 */
export function parseMediaType(contentType: string | undefined): MediaType {
  const essence = essenceOf(contentType ?? '');
  if (IMAGES.has(essence)) return { kind: 'image', essence, boundary: undefined };
  if (RECORDS.has(essence)) return { kind: 'records', essence, boundary: undefined };
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

/** The type of a part without a type, or with `UNTYPED`, in a request to a pipeline of this type. */
export function typeOfUntyped(pipelineType: string): string {
  const essence = essenceOf(pipelineType);
  return RECORDS.has(essence) ? essence : 'application/x-image';
}

/**
 * The Content-Type sent to the container. Batch transform sends every file under its pipeline's type, and the archive's handler
 * must see the same; records of another type keep their own.
 */
export function toModelType(essence: string, pipelineType: string): string {
  const batch = essenceOf(pipelineType);
  const file = IMAGES.has(essence) && !RECORDS.has(batch) && !batch.startsWith('text/');
  return file || essence === batch ? pipelineType : essence;
}

/** Whether an input of this type is one image, whose answer is then one prediction. */
export function isImageType(essence: string): boolean {
  return IMAGES.has(essence);
}

/** A content type without its parameters. */
export function essenceOf(contentType: string): string {
  return contentType.split(';')[0]?.trim().toLowerCase() ?? '';
}
