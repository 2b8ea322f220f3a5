const NOT_ALLOWED = /[^\p{L}\p{Z}\p{N}_.:/=+\-@]/gu;
const MAX_LENGTH = 256;

/** Any text as the value of an AWS tag: other characters become `_`, truncated to 256 characters. */
export function toTagValue(text: string): string {
  return text.replace(NOT_ALLOWED, '_').slice(0, MAX_LENGTH);
}
