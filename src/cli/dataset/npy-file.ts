import { closeSync, openSync, writeSync } from 'node:fs';

const HEADER_BYTES = 128;

/** A NumPy file whose first axis grows with each item; its length is written on closing. */
export class NpyFile {
  readonly #descriptor: number;
  readonly #dtype: '|u1' | '<i8';
  readonly #itemShape: readonly number[];
  #items = 0;

  constructor(file: string, dtype: '|u1' | '<i8', itemShape: readonly number[]) {
    this.#descriptor = openSync(file, 'wx');
    this.#dtype = dtype;
    this.#itemShape = itemShape;
    writeSync(this.#descriptor, Buffer.alloc(HEADER_BYTES, ' '));
  }

  append(item: Uint8Array): void {
    writeSync(this.#descriptor, item);
    this.#items++;
  }

  /** @see https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
  close(): void {
    const shape = [this.#items, ...this.#itemShape]
      .map((size) => `${size}, `)
      .join('')
      .trimEnd();
    const text = `{'descr': '${this.#dtype}', 'fortran_order': False, 'shape': (${shape}), }`;
    const header = Buffer.alloc(HEADER_BYTES, ' ');
    header.write('\x93NUMPY\x01\x00', 0, 'latin1');
    header.writeUInt16LE(HEADER_BYTES - 10, 8);
    header.write(text, 10, 'latin1');
    header.write('\n', HEADER_BYTES - 1, 'latin1');
    writeSync(this.#descriptor, header, 0, HEADER_BYTES, 0);
    closeSync(this.#descriptor);
  }
}
