/** The beginning of a stream, of at least so many bytes unless it is shorter, and the whole of it. */
export async function peek(
  chunks: AsyncIterable<Uint8Array>,
  bytes: number,
): Promise<{ readonly head: Buffer; readonly whole: AsyncIterable<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  for (let size = 0; size < bytes;) {
    const next = await iterator.next();
    if (next.done === true) break;
    held.push(next.value);
    size += next.value.length;
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield* held.splice(0);
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head: Buffer.concat(held), whole: whole() };
}

/** The text of a table in UTF-8: UTF-16 by its mark, as "Unicode text" of Excel has it, or by its zero bytes, anything else as it is. */
export async function* toUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, whole } = await peek(chunks, 4);
  const encoding = encodingOf(head);
  if (encoding === undefined) {
    yield* whole;
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const chunk of whole) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/**
 * The encoding of a text in UTF-16, by the mark at its beginning or the zeros of its first two characters, which are ASCII;
 * undefined for another.
 */
export function encodingOf([a, b, c, d]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((a === 0xff && b === 0xfe) || (hasByte(a, c) && b === 0 && d === 0)) return 'utf-16le';
  return (a === 0xfe && b === 0xff) || (a === 0 && c === 0 && hasByte(b, d)) ? 'utf-16be' : undefined;
}

function hasByte(...bytes: readonly (number | undefined)[]): boolean {
  return bytes.every((byte) => byte !== undefined && byte > 0);
}
