/** A number of variable length, a text, bytes, or a message within. */
type Part = number | bigint | string | Uint8Array | WireWriter;

/** Writes one message in the Protocol Buffers wire format. Fields are kept as they are given until `toBytes`. */
export class WireWriter {
  readonly #parts: Part[] = [];
  #size = 0;

  int(field: number, value: number | bigint): void {
    this.#varint(field * 8);
    this.#varint(
      value >= 0 && value <= Number.MAX_SAFE_INTEGER ? Number(value) : BigInt.asUintN(64, BigInt(value)),
    );
  }

  float(field: number, value: number): void {
    this.#varint(field * 8 + 5);
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    this.#append(bytes, bytes.length);
  }

  text(field: number, value: string): void {
    const size = Buffer.byteLength(value);
    this.#lengthPrefix(field, size);
    this.#append(value, size);
  }

  bytes(field: number, value: Uint8Array): void {
    this.#lengthPrefix(field, value.length);
    this.#append(value, value.length);
  }

  /** Adds a message that is complete. */
  message(field: number, value: WireWriter): void {
    this.#lengthPrefix(field, value.#size);
    this.#append(value, value.#size);
  }

  toBytes(): Uint8Array {
    const bytes = Buffer.from(new ArrayBuffer(this.#size));
    this.#write(bytes, 0);
    return new Uint8Array(bytes.buffer);
  }

  /** Returns where it has ended. */
  #write(bytes: Buffer, start: number): number {
    let at = start;
    for (const part of this.#parts) {
      if (typeof part === 'number') at = writeVarint(bytes, at, part);
      else if (typeof part === 'string') at += bytes.write(part, at);
      else if (typeof part === 'bigint') at = writeLarge(bytes, at, part);
      else if (part instanceof WireWriter) at = part.#write(bytes, at);
      else {
        bytes.set(part, at);
        at += part.length;
      }
    }
    return at;
  }

  #lengthPrefix(field: number, length: number): void {
    this.#varint(field * 8 + 2);
    this.#varint(length);
  }

  #varint(value: number | bigint): void {
    let size = 1;
    if (typeof value === 'number') for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++;
    else for (let rest = value; rest >= 128n; rest >>= 7n) size++;
    this.#append(value, size);
  }

  #append(part: Part, size: number): void {
    this.#parts.push(part);
    this.#size += size;
  }
}

function writeVarint(bytes: Buffer, start: number, value: number): number {
  let at = start;
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 128;
  bytes[at++] = rest;
  return at;
}

function writeLarge(bytes: Buffer, start: number, value: bigint): number {
  let at = start;
  let rest = value;
  for (; rest >= 128n; rest >>= 7n) bytes[at++] = Number(rest & 127n) | 128;
  bytes[at++] = Number(rest);
  return at;
}
