// eslint-disable-next-line no-control-regex -- the range is ASCII
const ASCII = /^[\u0000-\u007f]*$/;

/**
 * The UTF-8 bytes of a text as a string of code units 0..255. S3 orders keys by their bytes, JavaScript strings by UTF-16 code units,
 * which differ above U+D7FF; in this form both are the same, and text that is ASCII stays itself.
 */
export function toByteOrder(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** The text again. */
export function fromByteOrder(bytes: string): string {
  return ASCII.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Above every key that starts with `prefix` and below every other key that follows it; both in byte order form. */
export function pastPrefix(prefix: string): string {
  return `${prefix}\u0100`;
}
