import {
  type Field,
  type FieldHeader,
  type FileBody,
  packedNumbers,
  readHeader,
  wholeFields,
} from '../wire-format.ts';

/** Why bytes are not an ONNX model. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Visits the fields of a message of `length` bytes; those that `visit` returns false for are skipped. */
export async function eachField(
  body: FileBody,
  length: number,
  visit: (field: FieldHeader) => Promise<boolean>,
): Promise<void> {
  const end = body.left - length;
  if (end < 0) throw new Unreadable('it stops amid a message');
  while (body.left > end) {
    const field = await readHeader(body);
    if (field === undefined || field.number === 0 || body.left - (field.length ?? 0) < end)
      throw new Unreadable('it stops amid a message, or is damaged');
    if (!(await visit(field)) && !(await body.skip(field.length ?? 0)))
      throw new Unreadable('it stops amid a message');
  }
}

/** The bytes of a message, which may have `limit` of them. @throws {Unreadable} */
export async function taken(body: FileBody, { length }: FieldHeader, limit: number): Promise<Uint8Array> {
  if (length === undefined) throw new Unreadable('it is damaged: a number stands where a message belongs');
  if (length > limit) throw new Unreadable(`a message in it has ${length} bytes, more than ${limit}`);
  const bytes = await body.take(length);
  if (bytes === undefined) throw new Unreadable('it stops amid a message');
  return bytes;
}

/** The fields of a message in memory. @throws {Unreadable} */
export function whole(bytes: Uint8Array): readonly Field[] {
  const fields = wholeFields(bytes);
  if (fields === undefined) throw new Unreadable('a message in it is damaged');
  return fields;
}

/** The texts and messages of a field that may repeat. */
export function messages(fields: readonly Field[], number: number): Uint8Array[] {
  return fields.flatMap(([found, value]) => (found === number && typeof value !== 'number' ? [value] : []));
}

/** The whole numbers of a field that may repeat, packed or not. */
export function integers(fields: readonly Field[], number: number): number[] {
  return fields.flatMap(([found, value]) =>
    found !== number ? [] : typeof value === 'number' ? [value] : packedNumbers(value),
  );
}

/** The last text of a field; empty if it has no text. */
export function textOf(fields: readonly Field[], number: number): string {
  return messages(fields, number).map(toText).at(-1) ?? '';
}

/** Bytes as UTF-8. */
export function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}

/** A message that is in memory, read as a file is. */
export function bodyOf(bytes: Uint8Array): FileBody {
  let at = 0;
  return {
    get left() {
      return bytes.length - at;
    },
    take: (count) => {
      const part = count > bytes.length - at ? undefined : bytes.subarray(at, at + count);
      if (part !== undefined) at += count;
      return Promise.resolve(part);
    },
    skip: (count) => {
      const fits = count <= bytes.length - at;
      if (fits) at += count;
      return Promise.resolve(fits);
    },
  };
}
