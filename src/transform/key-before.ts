/**
 * A text that S3 sorts before a key and, for keys of plain letters, after nearly all smaller keys: a listing that starts after it
 * finds the key at once.
 */
export function keyBefore(key: string): string {
  const last = key.charCodeAt(key.length - 1);
  const rest = key.slice(0, -1);
  if (last > 0x20 && last < 0x7f) return `${rest}${String.fromCharCode(last - 1)}\u{10FFFF}`;
  // A surrogate pair is removed as a whole: half of one is not a character.
  return last >= 0xdc00 && last < 0xe000 ? key.slice(0, -2) : rest;
}
