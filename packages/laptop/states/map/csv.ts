/** Rows of RFC 4180 text: quoted fields may hold delimiters, doubled quotes and line ends. Empty lines are left out. */
export function* readCsv(text: string, delimiter: string): Generator<string[]> {
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text.charAt(at + 1) === '"') field += text.charAt(at++);
      else isQuoted = false;
    } else if (character === '"' && field === '') isQuoted = true;
    else if (character === delimiter) {
      row.push(field);
      field = '';
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && text.charAt(at + 1) === '\n') at++;
      row.push(field);
      if (row.length > 1 || row[0] !== '') yield row;
      row = [];
      field = '';
    } else field += character;
  }
  row.push(field);
  if (row.length > 1 || row[0] !== '') yield row;
}
