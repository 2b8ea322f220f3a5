/** The lines of a text that are not blank, each cut out lazily: millions at once would exceed a Lambda's memory. */
export function textLines(text: string): Iterable<string> {
  return { [Symbol.iterator]: () => linesOf(text) };
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const line = text.slice(start, end);
    if (line.trim() !== '') yield line;
    start = end + 1;
  }
}
