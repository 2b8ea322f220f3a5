import { createHash } from 'node:crypto';
import { readDecoding } from '@inferdrop/savedmodel/internal/decoder';
import { decodeImage } from '../../host/decode-image.ts';
import type { AttrValue } from '../../savedmodel/graph-def.ts';

/** An operation that decodes, with the attributes that it does not leave at their defaults. */
export type DecoderCall = readonly [
  op: string,
  attributes: Readonly<Record<string, string | number | boolean>>,
];

/** `tensorflow.DataType` by name. */
const TYPES: Readonly<Record<string, number>> = { float32: 1, uint8: 4, uint16: 17 };

/** The numbers that a decoder gives, as `uint8 3x4x3` and the start of their SHA-256, or `error` and its reason. */
export function decodedAs(file: Uint8Array, [op, attributes]: DecoderCall): string {
  const node = {
    name: 'decoder',
    op,
    inputs: [],
    attributes: new Map(Object.entries(attributes).map(([name, value]) => [name, attrValue(name, value)])),
  };
  const decoding = readDecoding(node);
  if (typeof decoding === 'string') return `error: refused for ${decoding}`;
  try {
    const { dtype, shape, data } = decodeImage(file, decoding);
    const digest = createHash('sha256').update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    return `${dtype} ${shape.join('x')} ${digest.digest('hex').slice(0, 16)}`;
  } catch (error) {
    return `error: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function attrValue(name: string, value: string | number | boolean): AttrValue {
  if (typeof value === 'boolean') return { bool: value };
  if (typeof value === 'number') return name === 'acceptable_fraction' ? { float: value } : { int: value };
  return name === 'dtype' ? { type: TYPES[value] ?? 0 } : { text: Buffer.from(value) };
}
