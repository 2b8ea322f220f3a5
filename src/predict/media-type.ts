import { RequestProblem } from './problem-details.ts';

/** What a request sends, as far as it is handled differently. */
type BodyKind = 'image' | 'records' | 'multipart';

/** A Content-Type without its parameters, and one of them. */
export interface MediaType {
  readonly kind: BodyKind;
  /** In lower case, such as `image/png`. */
  readonly essence: string;
  /** Of `multipart/form-data`. */
  readonly boundary: string | undefined;
}

const RECORDS = new Set(['application/json', 'application/jsonlines', 'text/csv']);
const TAKEN =
  'application/x-image, image/png, image/jpeg, application/json, application/jsonlines, text/csv, multipart/form-data';

/**
 * Reads a Content-Type.
 *
 * @throws {RequestProblem} `unsupported-media-type` for one that is not taken
 */
export function parseMediaType(contentType: string | undefined): MediaType {
  const essence = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (essence === 'application/x-image' || essence === 'image/png' || essence === 'image/jpeg')
    return { kind: 'image', essence, boundary: undefined };
  if (RECORDS.has(essence)) return { kind: 'records', essence, boundary: undefined };
  if (essence === 'multipart/form-data') {
    const [, quoted, bare] =
      /;\s*boundary=(?:"([^"]{1,70})"|([^\s";,]{1,70}))/i.exec(contentType ?? '') ?? [];
    const boundary = quoted ?? bare;
    if (boundary === undefined)
      throw new RequestProblem('invalid-request', 'Content-Type multipart/form-data must name its boundary');
    return { kind: 'multipart', essence, boundary };
  }
  const given = essence === '' ? 'is missing' : `is ${essence}`;
  throw new RequestProblem('unsupported-media-type', `Content-Type must be one of ${TAKEN}; it ${given}`);
}

/**
 * The Content-Type that the container is told. Batch transform sends every image under the one of its pipeline, and the
 * handler of the archive must see the same; records are sent as what they are.
 */
export function toModelType(essence: string, pipelineType: string): string {
  const isImage = (type: string): boolean => type === 'application/x-image' || type.startsWith('image/');
  return isImage(essence) && isImage(pipelineType) ? pipelineType : essence;
}
