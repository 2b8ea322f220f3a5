/** Constructors and functions of ECMAScript that Pyodide's own Python code looks up by name. */
const NAMES = ['Array', 'Error', 'Map', 'Object', 'Promise', 'Set', 'Symbol', 'Uint8Array'] as const;

/**
 * The contents of Python's `js` module: an object that holds nothing of Node. That doesn't isolate it yet, since the constructor
 * of any function is `Function`; `lock-down.ts` removes that.
 */
export function createJsGlobals(): object {
  const globals: Record<string, unknown> = Object.create(null);
  for (const name of NAMES) globals[name] = globalThis[name];
  return globals;
}
