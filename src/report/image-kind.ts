const KINDS: readonly (readonly [type: string, at: number, bytes: readonly number[]])[] = [
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/gif', 0, [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', 8, [0x57, 0x45, 0x42, 0x50]],
];

/** Media type of an image that every browser shows, by its first bytes; SVG, which can hold scripts, is excluded. */
export function imageKind(bytes: Uint8Array): string | undefined {
  return KINDS.find(([, at, mark]) => mark.every((byte, place) => bytes[at + place] === byte))?.[0];
}

/** Whether a file begins like an image of a format that the product decodes: one of the above, or a BMP. */
export function looksLikeImage(bytes: Uint8Array): boolean {
  return imageKind(bytes) !== undefined || (bytes[0] === 0x42 && bytes[1] === 0x4d);
}
