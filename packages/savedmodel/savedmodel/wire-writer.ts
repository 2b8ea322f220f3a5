/** Writes one message in the Protocol Buffers wire format. Large byte fields are kept as views until `toBytes`. */
export class WireWriter {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  int(field: number, value: number | bigint): void {
    this.#varint(BigInt(field * 8));
    this.#varint(BigInt.asUintN(64, BigInt(value)));
  }

  float(field: number, value: number): void {
    this.#varint(BigInt(field * 8 + 5));
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    this.#append(bytes);
  }

  text(field: number, value: string): void {
    this.bytes(field, Buffer.from(value));
  }

  bytes(field: number, value: Uint8Array): void {
    this.#lengthPrefix(field, value.length);
    this.#append(value);
  }

  message(field: number, value: WireWriter): void {
    this.#lengthPrefix(field, value.#size);
    for (const chunk of value.#chunks) this.#append(chunk);
  }

  toBytes(): Uint8Array {
    const bytes = new Uint8Array(this.#size);
    let position = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, position);
      position += chunk.length;
    }
    return bytes;
  }

  #lengthPrefix(field: number, length: number): void {
    this.#varint(BigInt(field * 8 + 2));
    this.#varint(BigInt(length));
  }

  #varint(value: bigint): void {
    const bytes: number[] = [];
    let rest = value;
    do {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      bytes.push(rest === 0n ? low : low | 0x80);
    } while (rest !== 0n);
    this.#append(Uint8Array.from(bytes));
  }

  #append(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#size += bytes.length;
  }
}
