/**
 * `tensorflow.DT_BFLOAT16`: the upper half of a float32. onnxruntime has next to no kernels for it, so its tensors are float32
 * here, and every result is rounded to 16 bits, as TensorFlow rounds it.
 */
export const BFLOAT16 = 14;

/** Bytes of one element in a file. */
export const BFLOAT16_BYTES = 2;

/** Elements as float32, from their bytes in a file. */
export function widenBfloat16(bytes: Uint8Array): Uint8Array {
  const wide = new Uint8Array(bytes.length * 2);
  for (let from = 0, to = 2; from < bytes.length; from += 2, to += 4) {
    wide[to] = bytes[from] ?? 0;
    wide[to + 1] = bytes[from + 1] ?? 0;
  }
  return wide;
}

/** Rounds each float32 to the nearest bfloat16, and to the even one of two. */
export function roundToBfloat16(values: Float32Array): Float32Array {
  const rounded = Float32Array.from(values);
  const bits = new Uint32Array(rounded.buffer);
  for (let index = 0; index < bits.length; index++) {
    const word = bits[index] ?? 0;
    if (Number.isNaN(rounded[index])) continue;
    bits[index] = (word + 0x7fff + ((word >>> 16) & 1)) & 0xffff0000;
  }
  return rounded;
}
