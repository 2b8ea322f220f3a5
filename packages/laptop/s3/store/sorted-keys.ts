/** Small enough that a splice is a short memory move, large enough that 1M keys make only a few thousand blocks. */
const MAX_BLOCK_BYTES = 512;

/**
 * Keys in UTF-8 byte order under insertion and removal: blocks of sorted strings, so that either costs microseconds at a million keys.
 *
 * Keys are held in byte order form (`toByteOrder`), so that JavaScript's string comparison compares their bytes.
 */
export class SortedKeys {
  #blocks: string[][] = [];
  size = 0;

  /** True if the key was not there before. */
  add(key: string): boolean {
    const at = this.#blockFor(key);
    const block = this.#blocks[at];
    if (block === undefined) {
      this.#blocks.push([key]);
    } else {
      const index = lowerBound(block, key);
      if (block[index] === key) return false;
      block.splice(index, 0, key);
      if (block.length > MAX_BLOCK_BYTES) this.#split(at, block);
    }
    this.size += 1;
    return true;
  }

  /** True if the key was there. */
  delete(key: string): boolean {
    const at = this.#blockFor(key);
    const block = this.#blocks[at];
    if (block === undefined) return false;
    const index = lowerBound(block, key);
    if (block[index] !== key) return false;
    block.splice(index, 1);
    if (block.length === 0) this.#blocks.splice(at, 1);
    this.size -= 1;
    return true;
  }

  /** The first key that is not below `from`. */
  atOrAfter(from: string): string | undefined {
    for (const key of this.from(from)) return key;
    return undefined;
  }

  /** All keys that are not below `from`, in order. The keys must not change while it runs. */
  *from(from: string): Generator<string, void> {
    let at = this.#blockFor(from);
    let index = lowerBound(this.#blocks[at] ?? [], from);
    for (; at < this.#blocks.length; at++, index = 0) {
      const block = this.#blocks[at] ?? [];
      for (; index < block.length; index++) {
        const key = block[index];
        if (key !== undefined) yield key;
      }
    }
  }

  #split(at: number, block: string[]): void {
    // Keys mostly arrive in ascending order; a lopsided split then leaves full blocks behind instead of half-empty ones.
    const upper = block.splice(at === this.#blocks.length - 1 ? MAX_BLOCK_BYTES - 32 : block.length >> 1);
    this.#blocks.splice(at + 1, 0, upper);
  }

  /** The last block with a first key not above `key`; block 0 if all first keys are above it. */
  #blockFor(key: string): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const first = this.#blocks[middle]?.[0];
      if (first !== undefined && first <= key) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

/** Index of the first item that is not below `key`. */
function lowerBound(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = sorted[middle];
    if (item !== undefined && item < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
