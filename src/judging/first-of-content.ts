import { hash } from 'node:crypto';

const FIRST_PLACES = 2 ** 12;
/** 256 MiB, which is room for 16 million contents. */
const MAX_PLACES = 2 ** 25;
const MD5 = /^[0-9a-f]{32}$/;

/**
 * Tells the first of the inputs with one content from its copies, by 64 bits of a content's ETag and size. Equal records of tables
 * are no copies, because coarse numbers repeat by chance, but the records of a copied file are. Two of 10 million contents are
 * taken for one with a chance of 3e-6. An open-addressing table of 8 bytes a place, at most half full; beyond 16 million contents
 * no more copies are found.
 */
export class FirstOfContent {
  #places = FIRST_PLACES;
  #table = new Uint32Array(2 * FIRST_PLACES);
  #contents = 0;

  /** Whether an input before has the same source, which is its content's ETag if it isn't a record. */
  isCopy({
    content,
    source = content,
    size,
  }: {
    readonly content: string;
    readonly source?: string | undefined;
    readonly size: number;
  }): boolean {
    const hex = MD5.test(source) ? source : hash('sha256', source);
    const high = Number.parseInt(hex.slice(0, 8), 16);
    const mixed = Math.imul(size, 2654435761) ^ Math.imul(size / 2 ** 32, 2246822519);
    const low = (Number.parseInt(hex.slice(8, 16), 16) ^ mixed) >>> 0;
    // A place of zeros is free.
    return this.#take(high, high === 0 && low === 0 ? 1 : low);
  }

  #take(high: number, low: number): boolean {
    const table = this.#table;
    const mask = this.#places - 1;
    let place = (Math.imul(low, 2654435769) >>> 0) & mask;
    while (table[2 * place] !== 0 || table[2 * place + 1] !== 0) {
      if (table[2 * place] === high && table[2 * place + 1] === low) return true;
      place = (place + 1) & mask;
    }
    if (2 * this.#contents >= this.#places) {
      if (this.#places === MAX_PLACES) return false;
      this.#grow();
      return this.#take(high, low);
    }
    table[2 * place] = high;
    table[2 * place + 1] = low;
    this.#contents++;
    return false;
  }

  #grow(): void {
    const before = this.#table;
    this.#places *= 2;
    this.#table = new Uint32Array(2 * this.#places);
    this.#contents = 0;
    for (let at = 0; at < before.length; at += 2) {
      const [high = 0, low = 0] = [before[at], before[at + 1]];
      if (high !== 0 || low !== 0) this.#take(high, low);
    }
  }
}
