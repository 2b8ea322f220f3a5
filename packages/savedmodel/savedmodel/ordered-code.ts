import type { Slice } from './tensor-slice.ts';

/**
 * The key, as Latin-1 text, under which a checkpoint's table keeps one slice of a variable.
 * tensorflow/core/util/saved_tensor_slice_util.cc, EncodeTensorNameSlice; tensorflow/core/lib/strings/ordered_code.cc.
 */
export function sliceKey(name: string, slice: Slice): string {
  const extents = slice.map(({ start, length }) => signedCode(start) + signedCode(length ?? -1));
  return unsignedCode(0) + textCode(name) + unsignedCode(slice.length) + extents.join('');
}

/** Keys of slices begin like this, names of variables never do. */
export function isSliceKey(key: string): boolean {
  return key.startsWith('\0');
}

/** Number of bytes, then the bytes, most significant first. */
function unsignedCode(value: number): string {
  let bytes = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256))
    bytes = String.fromCharCode(rest % 256) + bytes;
  return String.fromCharCode(bytes.length) + bytes;
}

/** 0x00 and 0xff are marked by the byte behind them, so that 0x00 0x01 can be the end. */
function textCode(text: string): string {
  const marked = [...text].map((byte) => (byte === '\0' ? '\0\xff' : byte === '\xff' ? '\xff\0' : byte));
  return `${marked.join('')}\0\x01`;
}

/** Two's complement behind as many one-bits (then a zero-bit) as there are bytes; for negatives, all bits of it flip. */
function signedCode(value: number): string {
  const number = BigInt(value);
  const magnitude = number < 0n ? ~number : number;
  let size = 1;
  while (magnitude >> BigInt(7 * size - 1) > 0n) size++;
  const bits = BigInt(8 * size);
  const prefix = ((1n << BigInt(size)) - 1n) << (bits - BigInt(size));
  const code = BigInt.asUintN(Number(bits), number) ^ prefix;
  return Buffer.from(code.toString(16).padStart(2 * size, '0'), 'hex').toString('latin1');
}
