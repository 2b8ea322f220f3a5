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

/** Content type of a part if the client doesn't know its type; the part is sent under the pipeline's type. */
export const UNTYPED = 'application/octet-stream';

/** The type of a part without a type, or with `UNTYPED`, in a request to a pipeline of this type. */
export function typeOfUntyped(pipelineType: string): string {
  const essence = essenceOf(pipelineType);
  return isRecordsType(essence) ? essence : 'application/x-image';
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

/** Whether an input of this type has records. */
export function isRecordsType(essence: string): boolean {
  return RECORDS.has(essence);
}

/** Whether an input of this type is one image, so that its answer is one prediction. */
export function isImageType(essence: string): boolean {
  return IMAGES.has(essence);
}

/** A content type without its parameters. */
export function essenceOf(contentType: string): string {
  return contentType.split(';')[0]?.trim().toLowerCase() ?? '';
}
