/** Numbers in [0, 1) that a seed determines (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed + 0x6d2b79f5;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A copy of a file with a few bytes changed, cut out, repeated or cut off, as the seed says. */
export function damage(whole: Uint8Array, seed: number): Buffer {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  let bytes = Buffer.from(whole);
  // A shift is noticed by the first length around it; what keeps the length gets further in.
  const shifts = random() < 0.2;
  for (let count = 1 + below(4); count > 0 && bytes.length > 0; count--) {
    const position = below(bytes.length);
    const length = 1 + below(Math.min(64, bytes.length - position));
    const [before, part, behind] = [
      bytes.subarray(0, position),
      bytes.subarray(position, position + length),
      bytes.subarray(position + length),
    ];
    switch (shifts ? below(6) : below(4)) {
      case 0:
        bytes = Buffer.from(bytes);
        bytes[position] = below(256);
        break;
      case 1:
        bytes = Buffer.from(bytes);
        bytes[position] = (bytes[position] ?? 0) ^ (1 << below(8));
        break;
      case 2:
        bytes = Buffer.concat([before, Buffer.alloc(length, 0xff), behind]);
        break;
      case 3:
        bytes = Buffer.concat([before, Buffer.alloc(length), behind]);
        break;
      case 4:
        bytes = Buffer.concat([before, part, part, behind]);
        break;
      default:
        bytes = below(4) === 0 ? Buffer.from(before) : Buffer.concat([before, behind]);
    }
  }
  return bytes;
}

/** Fixtures, each with the file of it that is to be damaged. */
export const DAMAGED_PARTS = [
  ['loop_variables', 'saved_model.pb'],
  ['loop_variables', 'variables/variables.index'],
  ['loop_variables', 'variables/variables.data-00000-of-00001'],
  ['loop_frozen', 'saved_model.pb'],
  ['branches', 'saved_model.pb'],
  ['functions', 'saved_model.pb'],
  ['partitioned', 'saved_model.pb'],
] as const;
