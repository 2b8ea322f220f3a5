const NEWLINE = 0x0a;

/**
 * One value as a line. JSON leaves U+2028 and U+2029 unescaped, and many readers take them for line breaks; keys may contain them,
 * so they are escaped.
 */
export function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}

/** The lines of a UTF-8 stream; only `\n` breaks a line. Memory holds one chunk and one line. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const lines of readLineBatches(chunks)) for (const { line } of lines) yield line;
}

/**
 * The same lines with their lengths in bytes, line breaks included. All lines completed by a chunk come together, since a promise
 * for each would take longer than reading it.
 */
export async function* readLineBatches(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly { readonly line: string; readonly bytes: number }[]> {
  let held: Buffer[] = [];
  for await (const chunk of chunks) {
    const whole = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: { readonly line: string; readonly bytes: number }[] = [];
    let start = 0;
    for (let end = whole.indexOf(NEWLINE); end >= 0; end = whole.indexOf(NEWLINE, start)) {
      if (held.length === 0) lines.push({ line: whole.toString('utf8', start, end), bytes: end + 1 - start });
      else {
        const line = Buffer.concat([...held, whole.subarray(start, end)]);
        lines.push({ line: line.toString(), bytes: line.length + 1 });
        held = [];
      }
      start = end + 1;
    }
    if (start < whole.length) held.push(whole.subarray(start));
    if (lines.length > 0) yield lines;
  }
  const last = Buffer.concat(held);
  if (held.length > 0) yield [{ line: last.toString(), bytes: last.length + 1 }];
}
