import { constants, readFileSync } from 'node:fs';
import { loadPyodide, type PyodideAPI } from 'pyodide';
import { createJsGlobals } from './js-globals.ts';

interface BootOptions {
  /** Memory of a Python that has booted, and has no script. */
  readonly snapshot: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Python 3.`pythonMinor` is the image's. */
  readonly pythonMinor: number;
  readonly log: (line: string) => void;
}

/** Boots Python from a snapshot. */
export async function bootPyodide({
  snapshot,
  environment,
  pythonMinor,
  log,
}: BootOptions): Promise<PyodideAPI> {
  // Emscripten asks for the constants of `node:fs` in a way that a process with restricted permissions may not.
  Object.defineProperty(process, 'binding', { value: () => ({ fs: constants }), configurable: true });
  const python = await loadPyodide({
    jsglobals: createJsGlobals(),
    // Otherwise it opens this process's own stdin, which carries the messages.
    stdin: () => null,
    stdout: log,
    stderr: log,
    env: { HOME: '/root' },
    _loadSnapshot: readFileSync(snapshot),
  });
  // What Node's permission model refuses would else have no number, which Python takes for a success.
  const { ERRNO_CODES: numbers } = python;
  Object.assign(numbers, { ERR_ACCESS_DENIED: numbers['EACCES'] });
  // The snapshot remembers the environment of the process that made it.
  python.globals.set('environment', JSON.stringify(environment));
  python.runPython(
    `import image_python, json, os; os.environ.pop("_", None); os.environ.update(json.loads(environment)); del environment
image_python.settle(${pythonMinor})`,
  );
  return python;
}
