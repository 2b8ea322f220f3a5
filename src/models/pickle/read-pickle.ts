/** The object that a pickle would make, read from its operations: nothing is imported, built or called. */
export interface PickleSight {
  /** Classes and functions that it would import, such as `sklearn.svm._classes.SVC`. */
  readonly names: readonly string[];
  /** Class of the object that it is. */
  readonly type: string | undefined;
  /** Version of scikit-learn, which its objects note. */
  readonly version: string | undefined;
}

/** An object by its class, and the arguments that the class was given. */
class Made {
  readonly type: string;
  readonly args: unknown;
  constructor(type: string, args: unknown) {
    this.type = type;
    this.args = args;
  }
}

/** An imported class or function. */
class Named {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const MARK = Symbol('mark');
/** Sizes of numbers, and of the lengths of texts and bytes. */
const LENGTHS: Readonly<Record<string, readonly [bytes: number, isText: boolean]>> = {
  U: [1, true],
  T: [4, true],
  X: [4, true],
  '\u008c': [1, true],
  '\u008d': [8, true],
  C: [1, false],
  B: [4, false],
  '\u008e': [8, false],
  '\u0096': [8, false],
  '\u008a': [1, false],
  '\u008b': [4, false],
};
/** More than an array of numpy has; a file may name one shape again and again. */
const MOST_DIMENSIONS = 64;
const ARRAY = 'joblib.numpy_pickle.NumpyArrayWrapper';

/**
 * Looks at a pickle of protocol 2 to 5, also with the arrays that joblib writes between its operations.
 *
 * @returns undefined if it isn't one, or was cut off
 */
export function readPickle(pickle: Buffer): PickleSight | undefined {
  const names = new Set<string>();
  const found: { version?: string } = {};
  try {
    const { value } = readValue(pickle, 0, names, found);
    return {
      names: [...names],
      type: value instanceof Made ? value.type : undefined,
      version: found.version,
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @throws {RangeError} for bytes that are no pickle */
function readValue(
  pickle: Buffer,
  start: number,
  names: Set<string>,
  found: { version?: string },
): { readonly value: unknown; readonly end: number } {
  const memo = new Map<number, unknown>();
  const stack: unknown[] = [];
  let at = start;
  const number = (bytes: number): number => {
    const value = bytes === 8 ? Number(pickle.readBigUInt64LE(at)) : pickle.readUIntLE(at, bytes);
    at += bytes;
    return value;
  };
  const take = (length: number): Buffer => {
    if (at + length > pickle.length) throw new RangeError('cut off');
    return pickle.subarray(at, (at += length));
  };
  const line = (): string => {
    const end = pickle.indexOf(10, at);
    if (end < 0) throw new RangeError('a line without an end');
    return take(end + 1 - at)
      .subarray(0, -1)
      .toString();
  };
  const pop = (count: number): unknown[] => {
    if (stack.length < count) throw new RangeError('an empty stack');
    return count === 0 ? [] : stack.splice(-count);
  };
  const untilMark = (): unknown[] => {
    const mark = stack.lastIndexOf(MARK);
    if (mark < 0) throw new RangeError('no mark');
    return stack.splice(mark).slice(1);
  };
  const named = (module: unknown, name: unknown): void => {
    if (typeof module !== 'string' || typeof name !== 'string') throw new RangeError('a name that is made');
    names.add(`${module}.${name}`);
    stack.push(new Named(`${module}.${name}`));
  };
  const make = (maker: unknown, args: unknown): void => {
    // The class of an object is the first thing that copyreg is given.
    const isCopied = maker instanceof Named && maker.name.startsWith('copyreg.') && Array.isArray(args);
    const type: unknown = isCopied ? args[0] : maker;
    stack.push(new Made(type instanceof Named ? type.name : '', args));
  };
  const set = (target: unknown, items: readonly unknown[]): void => {
    if (!(target instanceof Map)) return;
    for (let item = 0; item + 1 < items.length; item += 2) target.set(items[item], items[item + 1]);
  };
  const build = (): void => {
    const [target, state] = [...pop(1), ...pop(1)].toReversed();
    stack.push(target);
    if (!(state instanceof Map)) return;
    const version: unknown = state.get('_sklearn_version');
    if (typeof version === 'string') found.version = version;
    if (target instanceof Made && target.type === ARRAY) at = behindArray(state, at);
  };
  /** The place behind an array's bytes, which joblib aligns; objects are a pickle of their own. */
  const behindArray = (state: ReadonlyMap<unknown, unknown>, from: number): number => {
    const [dtype, shape] = [state.get('dtype'), state.get('shape')];
    const code: unknown = dtype instanceof Made && Array.isArray(dtype.args) ? dtype.args[0] : undefined;
    const [, kind = '', size = ''] = /^([a-zA-Z])(\d+)$/.exec(typeof code === 'string' ? code : '') ?? [];
    if (kind === 'O') return readValue(pickle, from, names, found).end;
    if (size === '' || !Array.isArray(shape) || shape.length > MOST_DIMENSIONS)
      throw new RangeError('an array of unknown size');
    const count = shape.reduce((product: number, one) => product * (typeof one === 'number' ? one : NaN), 1);
    const aligned =
      typeof state.get('numpy_array_alignment_bytes') === 'number' ? 1 + pickle.readUInt8(from) : 0;
    const end = from + aligned + count * Number(size) * (kind === 'U' ? 4 : 1);
    if (!(end <= pickle.length)) throw new RangeError('an array that was cut off');
    return end;
  };
  const actions: Readonly<Record<string, () => void>> = {
    '\u0080': () => void take(1),
    '\u0095': () => void take(8),
    '(': () => stack.push(MARK),
    0: () => void pop(1),
    1: () => void untilMark(),
    2: () => stack.push(stack.at(-1)),
    N: () => stack.push(null),
    '\u0088': () => stack.push(true),
    '\u0089': () => stack.push(false),
    K: () => stack.push(number(1)),
    M: () => stack.push(number(2)),
    J: () => stack.push(take(4).readInt32LE()),
    G: () => stack.push(take(8).readDoubleBE()),
    ']': () => stack.push([]),
    ')': () => stack.push([]),
    '}': () => stack.push(new Map()),
    '\u008f': () => stack.push([]),
    a: () => void pop(1),
    e: () => void untilMark(),
    '\u0090': () => void untilMark(),
    '\u0091': () => stack.push(untilMark()),
    t: () => stack.push(untilMark()),
    l: () => stack.push(untilMark()),
    '\u0085': () => stack.push(pop(1)),
    '\u0086': () => stack.push(pop(2)),
    '\u0087': () => stack.push(pop(3)),
    s: () => {
      const item = pop(2);
      set(stack.at(-1), item);
    },
    u: () => {
      const items = untilMark();
      set(stack.at(-1), items);
    },
    c: () => named(line(), line()),
    '\u0093': () => {
      const [module, name] = pop(2);
      named(module, name);
    },
    R: () => {
      const [maker, args] = pop(2);
      make(maker, args);
    },
    '\u0081': () => {
      const [maker, args] = pop(2);
      make(maker, args);
    },
    '\u0092': () => {
      const [maker, args] = pop(3);
      make(maker, args);
    },
    b: build,
    q: () => memo.set(number(1), stack.at(-1)),
    r: () => memo.set(number(4), stack.at(-1)),
    '\u0094': () => memo.set(memo.size, stack.at(-1)),
    h: () => stack.push(memo.get(number(1))),
    j: () => stack.push(memo.get(number(4))),
  };
  for (let op = String.fromCharCode(number(1)); op !== '.'; op = String.fromCharCode(number(1))) {
    const [bytes, isText] = LENGTHS[op] ?? [];
    if (bytes !== undefined) {
      const body = take(number(bytes));
      stack.push(isText === true ? body.toString('utf8') : undefined);
    } else {
      const action = actions[op];
      if (action === undefined) throw new RangeError('an operation that no model needs');
      action();
    }
  }
  return { value: stack.at(-1), end: at };
}
