/**
 * Sparse counts as text: index steps and counts as LEB128 bytes in base64. A shard's tally of a thousand classes has
 * a hundred thousand of them, and ten thousand such tallies are merged.
 *
 * @param counts in ascending order of index, both below 2^53
 */
export function packCounts(counts: Iterable<readonly [index: number, count: number]>): string {
  let bytes = new Uint8Array(1024);
  let length = 0;
  let previous = 0;
  const put = (value: number): void => {
    let rest = value;
    while (rest >= 0x80) {
      bytes[length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    bytes[length++] = rest;
  };
  for (const [index, count] of counts) {
    if (length + 20 > bytes.length) {
      const larger = new Uint8Array(bytes.length * 2);
      larger.set(bytes);
      bytes = larger;
    }
    put(index - previous);
    put(count);
    previous = index;
  }
  return Buffer.from(bytes.buffer, 0, length).toString('base64');
}

/** Gives each index and count of a packed text to `visit`, in ascending order of index. */
export function unpackCounts(packed: string, visit: (index: number, count: number) => void): void {
  const bytes = Buffer.from(packed, 'base64');
  const end = bytes.length;
  let at = 0;
  let index = 0;
  while (at < end) {
    let byte = bytes[at++] ?? 0;
    let step = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = bytes[at++] ?? 0;
      step += (byte & 0x7f) * scale;
    }
    byte = bytes[at++] ?? 0;
    let count = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = bytes[at++] ?? 0;
      count += (byte & 0x7f) * scale;
    }
    index += step;
    visit(index, count);
  }
}
