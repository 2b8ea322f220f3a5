const NEWLINE = 0x0a;

/**
 * One value as a line. JSON leaves U+2028 and U+2029 unescaped, and many readers take them for line ends; keys may contain them,
 * so they are escaped.
 */
export function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}

/** The lines of a UTF-8 stream; only `\n` ends a line. Memory holds one chunk and one line. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let held: Buffer[] = [];
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield Buffer.concat([...held, rest.subarray(0, end)]).toString();
      held = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) held.push(rest);
  }
  if (held.length > 0) yield Buffer.concat(held).toString();
}
