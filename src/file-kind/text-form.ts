import { asBinary } from './binary-text.ts';

/** Share of control characters, except tabs and line breaks, from which a file is no text. */
const MOST_CONTROL = 0.01;
const UTF_16_BYTES = 2_000;

/** Whether some bytes, as a character each, are a text in UTF-8 or a code that extends ASCII. */
export function isText(text: string): boolean {
  let control = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0) return false;
    if (code < 9 || (code > 13 && code < 32)) control += 1;
  }
  return control < MOST_CONTROL * text.length;
}

/** Whether a file is text in UTF-16: by its mark, or by a zero in every other byte. */
export function isUtf16(head: Uint8Array): boolean {
  const bytes = head.subarray(0, Math.min(UTF_16_BYTES, head.length - (head.length % 2)));
  if (bytes.length < 4) return false;
  const zeros: [number, number] = [0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2 === 0 ? 0 : 1] += 1;
  const [first, second] = bytes;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const isHalf = Math.min(...zeros) === 0 && Math.max(...zeros) > 0.4 * bytes.length;
  if (!isMarked && !isHalf) return false;
  const isBig = isMarked ? first === 0xfe : zeros[0] > 0;
  return isText(new TextDecoder(isBig ? 'utf-16be' : 'utf-16le').decode(bytes).replace(/\ufffd$/, ''));
}

/**
 * The form of a file of JSON: a document a line, one list of records, or one document. A single line that begins a list
 * of objects is the list of all records, as pandas writes it.
 */
export function jsonForm({
  head,
  text,
}: {
  readonly head: Uint8Array;
  readonly text: string;
}): 'lines' | 'list' | 'document' | undefined {
  if (!/^(?:\u00ef\u00bb\u00bf)?\s*[[{]/.test(text)) return undefined;
  const lines = asBinary(head)
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first = '', ...more] = lines;
  // If it's no JSON, it has a bad record, or breaks off.
  if (more.length === 0) return /^\[\s*\{/.test(first) ? 'list' : 'lines';
  // A first line that is broken within is a bad record.
  if (isJson(first) || /^(?:\{.*\}|\[.*\])$/.test(first)) return 'lines';
  return first.startsWith('[') ? 'list' : 'document';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
