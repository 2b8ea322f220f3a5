/** Characters that one call of `String.fromCharCode` takes. */
const STEP = 8_192;

/** A text with a character of U+0000 to U+00FF for each byte; pages have no Buffer. */
export function asBinary(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += STEP)
    text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return text;
}
