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

/** The text of a table in UTF-8: UTF-16 by its mark, as "Unicode text" of Excel has it, anything else as it is. */
export async function* toUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, whole } = await peek(chunks, 2);
  const encoding = encodingOf(head);
  if (encoding === undefined) {
    yield* whole;
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const chunk of whole) yield Buffer.from(decoder.decode(chunk, { stream: true }));
}

/** The encoding that the mark at the beginning of a text states; undefined for UTF-8, and without a mark. */
export function encodingOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}
