/** A text or its bytes as a stream, cut into pieces of `size` bytes. */
export async function* pieces(content: string | Uint8Array, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
