/**
 * Rows of a CSV file (RFC 4180) without their line ends: a line break between quotes does not end a row. Lines end with LF, CRLF or CR.
 * Where quotes do not close, the last row is the rest of the text.
 */
export function* csvRows(text: string): Generator<string> {
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    if (quoted || (character !== '\n' && character !== '\r')) continue;
    yield text.slice(start, at);
    if (character === '\r' && text[at + 1] === '\n') at++;
    start = at + 1;
  }
  if (start < text.length) yield text.slice(start);
}
