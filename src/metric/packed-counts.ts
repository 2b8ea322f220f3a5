/**
 * Sparse counts as text: index steps and counts as LEB128 bytes in base64. A shard's tally of a thousand classes has a hundred
 * thousand of them, and up to ten thousand such tallies are merged.
 */
export class CountPacker {
  #bytes = new Uint8Array(1024);
  #length = 0;
  #previous = 0;

  /** Adds a count; indexes must ascend, and both be below 2^53. */
  add(index: number, count: number): void {
    if (this.#length + 20 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#put(index - this.#previous);
    this.#put(count);
    this.#previous = index;
  }

  finish(): string {
    return Buffer.from(this.#bytes.buffer, 0, this.#length).toString('base64');
  }

  #put(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }
}

/** Calls `visit` with each index and count of a packed text, in ascending order of index. */
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
