import { ByteCursor } from './byte-cursor.ts';
import { BrokenModel } from './servable-model.ts';

/** The densest element copies 64 bytes for 3 of its own, so a longer claim is a lie. */
const MAX_RATIO = 64;

/**
 * Decompresses one Snappy block.
 * https://github.com/google/snappy/blob/main/format_description.txt
 *
 * @throws {BrokenModel} if the block is damaged
 */
export function decompressSnappy(block: Uint8Array): Uint8Array {
  const input = new ByteCursor(block, 'Snappy block');
  const length = input.varint();
  if (length > block.length * MAX_RATIO) throw new BrokenModel(`Snappy block: claims ${length} bytes`);
  const output = new Uint8Array(length);
  let written = 0;
  while (!input.atEnd()) {
    const tag = input.uint(1);
    if ((tag & 3) === 0) {
      const literal = input.take(literalLength(tag, input));
      if (written + literal.length > length) throw new BrokenModel('Snappy block: longer than it claims');
      output.set(literal, written);
      written += literal.length;
      continue;
    }
    const near = (tag & 3) === 1;
    const count = near ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const offset = near ? ((tag >> 5) << 8) | input.uint(1) : input.uint((tag & 3) === 2 ? 2 : 4);
    if (offset === 0 || offset > written) throw new BrokenModel('Snappy block: copies from before its start');
    if (written + count > length) throw new BrokenModel('Snappy block: longer than it claims');
    // Source and target overlap when the offset is short, and then the copy repeats itself: byte by byte.
    for (let index = 0; index < count; index++, written++) output[written] = output[written - offset] ?? 0;
  }
  if (written !== length) throw new BrokenModel(`Snappy block: claims ${length} bytes, has ${written}`);
  return output;
}

/** Up to 60 is in the tag itself; above, in the one to four bytes that follow. */
function literalLength(tag: number, input: ByteCursor): number {
  const inTag = (tag >> 2) + 1;
  return inTag <= 60 ? inTag : input.uint(inTag - 60) + 1;
}
