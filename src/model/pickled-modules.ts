/** A module of a TorchScript file: its class, and whether it's in training mode, if it says so. */
export interface PickledModule {
  readonly type: string;
  readonly isTraining: boolean;
}

const MARK = Symbol('mark');
/** Sizes of the arguments of operations that push something that isn't needed. */
const PLAIN: Readonly<Record<string, number>> = { N: 0, ')': 0, ']': 0, K: 1, M: 2, J: 4, G: 8 };
const [PROTO, NEWOBJ, TUPLE1, TUPLE2, TUPLE3, TRUE, FALSE, LONG1] = [
  '\u0080',
  '\u0081',
  '\u0085',
  '\u0086',
  '\u0087',
  '\u0088',
  '\u0089',
  '\u008a',
];

/**
 * Modules in data.pkl of a TorchScript file. Nothing is built or called: classes are names, and what a function would give is unknown.
 *
 * @returns undefined for a pickle of another kind
 */
export function pickledModules(pickle: Buffer): readonly PickledModule[] | undefined {
  const modules: PickledModule[] = [];
  const memo = new Map<number, unknown>();
  const stack: unknown[] = [];
  let at = 0;
  const line = () => {
    const end = pickle.indexOf(10, at);
    if (end < 0) throw new RangeError('a line without an end');
    const text = pickle.toString('utf8', at, end);
    at = end + 1;
    return text;
  };
  const byte = () => pickle.readUInt8(at++);
  const word = () => pickle.readUInt32LE((at += 4) - 4);
  const untilMark = () => stack.splice(stack.lastIndexOf(MARK)).slice(1);
  const replace = (count: number, value?: unknown) => {
    stack.splice(-count, count, value);
  };
  const actions: Readonly<Record<string, () => void>> = {
    [PROTO]: () => at++,
    c: () => stack.push(`${line()}.${line()}`),
    q: () => memo.set(byte(), stack.at(-1)),
    r: () => memo.set(word(), stack.at(-1)),
    h: () => stack.push(memo.get(byte())),
    j: () => stack.push(memo.get(word())),
    '(': () => stack.push(MARK),
    '}': () => stack.push(new Map()),
    X: () => {
      const size = word();
      stack.push(pickle.toString('utf8', at, (at += size)));
    },
    [TRUE]: () => stack.push(true),
    [FALSE]: () => stack.push(false),
    [LONG1]: () => {
      at += byte();
      stack.push(undefined);
    },
    // An object is its class until its state is there.
    [NEWOBJ]: () => stack.pop(),
    R: () => replace(2),
    Q: () => replace(1),
    [TUPLE1]: () => replace(1),
    [TUPLE2]: () => replace(2),
    [TUPLE3]: () => replace(3),
    t: () => {
      untilMark();
      stack.push(undefined);
    },
    e: untilMark,
    a: () => stack.pop(),
    s: () => {
      const value = stack.pop();
      set(stack.at(-2), [stack.pop(), value]);
    },
    u: () => {
      const items = untilMark();
      set(stack.at(-1), items);
    },
    b: () => {
      const state = stack.pop();
      const type = stack.at(-1);
      if (typeof type === 'string' && state instanceof Map)
        modules.push({ type, isTraining: state.get('training') === true });
    },
  };
  try {
    for (let op = String.fromCharCode(byte()); op !== '.'; op = String.fromCharCode(byte())) {
      const size = PLAIN[op];
      const action = actions[op];
      if (size !== undefined) {
        stack.push(undefined);
        at += size;
      } else if (action === undefined) return undefined;
      else action();
    }
    return modules;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function set(target: unknown, items: readonly unknown[]): void {
  if (!(target instanceof Map)) return;
  for (let at = 0; at + 1 < items.length; at += 2) target.set(items[at], items[at + 1]);
}
