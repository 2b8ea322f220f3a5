import type { GraphNode } from '../../savedmodel/graph-node.ts';
import { InvalidFeeds } from '../../savedmodel/servable-model.ts';
import { type HostTensor, hostTensorOf } from '../host-tensor.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The strings of one run: a tensor of strings holds their numbers in this table. */
export class Texts {
  readonly #items: Uint8Array[];

  constructor(constants: readonly Uint8Array[]) {
    this.#items = [...constants];
  }

  /** A tensor of these strings. */
  hold(shape: readonly number[], items: Iterable<Uint8Array>): HostTensor {
    const numbers = Array.from(items, (item) => this.#items.push(item) - 1);
    return hostTensorOf('string', shape, numbers);
  }

  /** The bytes of a tensor's strings, row-major. */
  of({ data }: HostTensor): Uint8Array[] {
    return Array.from(data, (number) => this.at(number));
  }

  at(number: number): Uint8Array {
    const item = this.#items[number];
    if (item === undefined) throw new InvalidFeeds(`Text ${number} does not exist`);
    return item;
  }

  /** A tensor of the same shape with every string changed. */
  map(tensor: HostTensor, change: (item: Uint8Array) => Uint8Array): HostTensor {
    return this.hold(tensor.shape, this.of(tensor).map(change));
  }
}

/** @throws {InvalidFeeds} if the bytes are not UTF-8, which TensorFlow's patterns would match byte by byte */
export function decodeUtf8(bytes: Uint8Array, { name, op }: GraphNode): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new InvalidFeeds(`Node ${name} (${op}): the text is not UTF-8`);
  }
}

/** Bytes as a key of maps: one character a byte. */
export function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
