import { BadDataset } from './image-record.ts';

/** Description of a Python object that the pickle constructs; it is not constructed here. */
interface Pickled {
  readonly callee: string;
  readonly args: unknown;
  state?: unknown;
}

/**
 * Reads a pickle of protocol 2 as Python 2 wrote it. Nothing is executed: a call in the pickle is returned as a description.
 * Strings are bytes, dictionaries are maps by their text.
 *
 * @throws {BadDataset} for an operation that such files do not need
 */
export function readPickle(bytes: Buffer): unknown {
  return new Unpickler(bytes).run();
}

const MARK = Symbol('mark');

class Unpickler {
  readonly #bytes: Buffer;
  readonly #stack: unknown[] = [];
  readonly #memo = new Map<number, unknown>();
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  run(): unknown {
    for (;;) {
      const code = String.fromCharCode(this.#take(1)[0] ?? 0);
      if (code === '.') return this.#pop();
      this.#step(code);
    }
  }

  #step(code: string): void {
    const push = (value: unknown): void => void this.#stack.push(value);
    switch (code) {
      case '\x80':
        return void this.#take(1);
      case '}':
        return push(new Map<string, unknown>());
      case ']':
        return push([]);
      case ')':
        return push([]);
      case '(':
        return push(MARK);
      case 'N':
        return push(null);
      case '\x88':
        return push(true);
      case '\x89':
        return push(false);
      case 'K':
        return push(this.#take(1).readUInt8());
      case 'M':
        return push(this.#take(2).readUInt16LE());
      case 'J':
        return push(this.#take(4).readInt32LE());
      case 'U':
        return push(this.#take(this.#take(1).readUInt8()));
      case 'T':
      case 'X':
        return push(this.#take(this.#take(4).readUInt32LE()));
      case 'q':
        return void this.#memo.set(this.#take(1).readUInt8(), this.#stack.at(-1));
      case 'r':
        return void this.#memo.set(this.#take(4).readUInt32LE(), this.#stack.at(-1));
      case 'h':
        return push(this.#memo.get(this.#take(1).readUInt8()));
      case 'j':
        return push(this.#memo.get(this.#take(4).readUInt32LE()));
      case 'c':
        return push(`${this.#line()} ${this.#line()}`);
      case 't':
        return push(this.#toMark());
      case '\x85':
        return push([this.#pop()]);
      case '\x86':
        return push(this.#popMany(2));
      case '\x87':
        return push(this.#popMany(3));
      case 'R': {
        const [callee, args] = this.#popMany(2);
        return push({ callee: String(callee), args } satisfies Pickled);
      }
      case 'b': {
        const state = this.#pop();
        const made = this.#stack.at(-1);
        if (typeof made === 'object' && made !== null) Object.assign(made, { state });
        return;
      }
      case 'a':
        return this.#append([this.#pop()]);
      case 'e':
        return this.#append(this.#toMark());
      case 's':
        return this.#setItems(this.#popMany(2));
      case 'u':
        return this.#setItems(this.#toMark());
      default:
        throw new BadDataset(`the pickle has an operation that is not expected, ${JSON.stringify(code)}`);
    }
  }

  #append(items: readonly unknown[]): void {
    const list = this.#stack.at(-1);
    if (!Array.isArray(list)) throw new BadDataset('the pickle appends to a value that is not a list');
    for (const item of items) list.push(item);
  }

  #setItems(items: readonly unknown[]): void {
    const map = this.#stack.at(-1);
    if (!(map instanceof Map))
      throw new BadDataset('the pickle sets items of a value that is not a dictionary');
    for (let index = 0; index + 1 < items.length; index += 2) map.set(String(items[index]), items[index + 1]);
  }

  #toMark(): unknown[] {
    const mark = this.#stack.lastIndexOf(MARK);
    if (mark < 0) throw new BadDataset('the pickle has an end mark without a beginning');
    const items = this.#stack.splice(mark);
    return items.slice(1);
  }

  #popMany(count: number): unknown[] {
    if (this.#stack.length < count) throw new BadDataset('the pickle takes more values than its stack has');
    return this.#stack.splice(-count);
  }

  #pop(): unknown {
    return this.#popMany(1)[0];
  }

  #line(): string {
    const end = this.#bytes.indexOf(10, this.#at);
    if (end < 0) throw new BadDataset('the pickle ends within a name');
    const text = this.#bytes.toString('latin1', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  #take(count: number): Buffer {
    const part = this.#bytes.subarray(this.#at, this.#at + count);
    if (part.length < count) throw new BadDataset('the pickle is cut off');
    this.#at += count;
    return part;
  }
}
