import type { FileBody as FileBytes } from './tar-entries.ts';

/** Bytes of a file, or of a message in it. */
export type FileBody = Pick<FileBytes, 'left' | 'take' | 'skip'>;

/** Header of a field: its length where it has one, or the value of a varint, exact below 2^53. */
export interface FieldHeader {
  readonly number: number;
  readonly length: number | undefined;
  readonly value: number;
}

/** The header of the next field in the Protocol Buffers wire format; undefined if the bytes are damaged. */
export async function readHeader(body: FileBody): Promise<FieldHeader | undefined> {
  const tag = await readVarint(body);
  if (tag === undefined) return undefined;
  const number = Math.floor(tag / 8);
  switch (tag % 8) {
    case 0: {
      const value = await readVarint(body);
      return value === undefined ? undefined : { number, length: undefined, value };
    }
    case 1:
      return { number, length: 8, value: 0 };
    case 2: {
      const length = await readVarint(body);
      return length === undefined ? undefined : { number, length, value: 0 };
    }
    case 5:
      return { number, length: 4, value: 0 };
    default:
      return undefined;
  }
}

async function readVarint(body: FileBody): Promise<number | undefined> {
  let value = 0;
  for (let scale = 1; scale < 2 ** 70; scale *= 128) {
    const [byte] = (await body.take(1)) ?? [];
    if (byte === undefined) return undefined;
    value += (byte % 128) * scale;
    if (byte < 128) return value;
  }
  return undefined;
}

/** Texts of a repeated field. */
export function textsOf(message: Uint8Array, number: number): string[] {
  return messagesOf(message, number).map((bytes) => Buffer.from(bytes).toString());
}

/** Messages, texts or bytes of a repeated field. */
export function messagesOf(message: Uint8Array, number: number): Uint8Array[] {
  return fieldsOf(message).flatMap(([found, value]) =>
    found === number && typeof value !== 'number' ? [value] : [],
  );
}

/** Varints of a repeated field that is not packed, exact below 2^53. */
export function numbersOf(message: Uint8Array, number: number): number[] {
  return fieldsOf(message).flatMap(([found, value]) =>
    found === number && typeof value === 'number' ? [value] : [],
  );
}

/** Fields of a message as far as it can be read, with their bytes or their number. */
function fieldsOf(message: Uint8Array): readonly Field[] {
  return scan(message).fields;
}

/** A field's number, with its bytes or its varint. */
export type Field = readonly [number: number, value: number | Uint8Array];

/** Fields of a message; undefined if it is damaged. */
export function wholeFields(message: Uint8Array): readonly Field[] | undefined {
  const { fields, isWhole } = scan(message);
  return isWhole ? fields : undefined;
}

/** The varints of a packed field, exact below 2^53. */
export function packedNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const [value, next] = varintAt(bytes, at);
    numbers.push(value);
    at = next;
  }
  return numbers;
}

function scan(message: Uint8Array): { readonly fields: readonly Field[]; readonly isWhole: boolean } {
  const fields: Field[] = [];
  let isWhole = true;
  let at = 0;
  const varint = (): number => {
    const [value, next] = varintAt(message, at);
    at = next;
    return value;
  };
  while (at < message.length) {
    const tag = varint();
    const kind = tag % 8;
    isWhole &&= tag >= 8 && [0, 1, 2, 5].includes(kind);
    if (kind === 0) fields.push([Math.floor(tag / 8), varint()]);
    else {
      const length = kind === 2 ? varint() : kind === 1 ? 8 : 4;
      fields.push([Math.floor(tag / 8), message.subarray(at, at + length)]);
      at += length;
    }
  }
  return { fields, isWhole: isWhole && at === message.length };
}

/** A varint and the place behind it, which lies beyond the end where the varint is cut off. */
function varintAt(bytes: Uint8Array, start: number): readonly [value: number, next: number] {
  let value = 0;
  for (let at = start, scale = 1; at < bytes.length; at++, scale *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte % 128) * scale;
    if (byte < 128) return [value, at + 1];
  }
  return [value, bytes.length + 1];
}
