/** S3 takes keys of at most 1,024 bytes of UTF-8. */
export const MAX_KEY_BYTES = 1024;

/** Whether S3 would not take a key. */
export function isKeyTooLong(key: string): boolean {
  return Buffer.byteLength(key) > MAX_KEY_BYTES;
}
