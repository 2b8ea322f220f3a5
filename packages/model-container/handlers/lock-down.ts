import { registerHooks } from 'node:module';
import { Server, Socket } from 'node:net';

/**
 * Members of `process` that Emscripten and Node itself use while Python runs, or that cannot be deleted; none reaches beyond
 * the process.
 */
const PROCESS: ReadonlySet<unknown> = new Set(
  (
    '_events _eventsCount _exiting _fatalException _maxListeners argv0 cwd domain emitWarning env exitCode features hrtime ' +
    'nextTick permission platform reallyExit version versions'
  ).split(' '),
);

/** Globals that Node adds to ECMAScript's, and that Emscripten and Pyodide use while Python runs. */
const GLOBALS: ReadonlySet<unknown> = new Set(
  'Buffer TextDecoder TextEncoder clearTimeout performance process queueMicrotask setImmediate setTimeout'.split(
    ' ',
  ),
);

/** Globals of ECMAScript (edition 2026), WebAssembly and V8. */
const LANGUAGE: ReadonlySet<unknown> = new Set(
  (
    'Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error ' +
    'AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError globalThis JSON Math Intl ' +
    'ArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float16Array Float32Array Float64Array ' +
    'Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set Iterator WeakMap WeakSet Proxy Reflect ' +
    'FinalizationRegistry WeakRef DisposableStack AsyncDisposableStack decodeURI decodeURIComponent encodeURI encodeURIComponent ' +
    'escape unescape eval isFinite isNaN SharedArrayBuffer Atomics WebAssembly'
  ).split(' '),
);

/**
 * Removes from this process everything that Node offers beyond the language: code that reaches the global object cannot reach
 * another process, the network or a module. Code from text is refused by the flag `--disallow-code-generation-from-strings`,
 * files and programs by Node's permission model (`sandbox.ts`). Modules imported before continue to work.
 */
export function lockDown(print: (line: string) => void): void {
  registerHooks({
    resolve(specifier) {
      throw new Error(`A handler that runs in Pyodide cannot load ${specifier}`);
    },
  });
  const refuse = (): never => {
    throw new Error('A handler that runs in Pyodide has no network');
  };
  // TCP, TLS, HTTP, WebSockets and Unix domain sockets all connect, or listen, by way of these two.
  seal(Socket.prototype, 'connect', refuse);
  seal(Server.prototype, 'listen', refuse);
  keepOnly(process, PROCESS);
  keepOnly(globalThis, LANGUAGE.union(GLOBALS));
  const say = (...values: readonly unknown[]): void => print(values.map(String).join(' '));
  seal(globalThis, 'console', { log: say, warn: say, error: say });
}

function seal(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, writable: false, configurable: false });
}

function keepOnly(owner: object, kept: ReadonlySet<unknown>): void {
  for (const name of Reflect.ownKeys(owner)) {
    if (typeof name === 'symbol' || kept.has(name)) continue;
    if (!Reflect.deleteProperty(owner, name)) throw new Error(`${name} cannot be taken from a handler`);
  }
}
