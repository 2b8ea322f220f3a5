import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFrameProcess } from '../python-process/frame-process.ts';
import type { ConnectPython } from './interpreter.ts';
import { toFrame, toMessage } from './messages.ts';
import { PYODIDE_CODE } from './pyodide-code.ts';
import { pyodideSnapshot } from './pyodide-snapshot.ts';
import { behind, isolation, restrictedPyodide } from './sandbox.ts';

const ENTRY = fileURLToPath(import.meta.resolve('#model-container/handlers/pyodide-process.ts'));

/**
 * Pyodide in a process of its own, which reads the archive's folder and nothing else of this machine: see `sandbox.ts` and
 * `lock-down.ts`.
 *
 * @param alone gives the command that starts it away from the network and other processes, if the machine has one
 * @param snapshotFile gives the file with the memory of a Python that has booted
 */
export function connectPyodide(
  alone: () => Promise<readonly string[]> = isolation,
  snapshotFile: () => Promise<string> = pyodideSnapshot,
): ConnectPython {
  return async ({ modelDir, environment, pythonMinor, hasTimeout, restPort, log }, events) => {
    const folder = await realpath(modelDir);
    const [prefix, snapshot] = await Promise.all([alone(), snapshotFile(), refuseLinks(folder)]);
    const child = startFrameProcess({
      ...behind(prefix, restrictedPyodide(ENTRY, [...PYODIDE_CODE, snapshot, folder])),
      name: 'the Python interpreter',
      onFrame: (frame) => events.receive(toMessage(frame)),
      log,
    });
    void child.gone.then((reason) => events.end(reason));
    child.send({ kind: 'start', modelDir: folder, snapshot, environment, pythonMinor, hasTimeout, restPort });
    return { post: (message) => child.send(...toFrame(message)), kill: () => void child.kill() };
  };
}

/** Node's permission model follows links out of the folder. Archives are unpacked without links; other folders may hold some. */
async function refuseLinks(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const link = entries.find((entry) => entry.isSymbolicLink());
  if (link !== undefined)
    throw new Error(`${join(link.parentPath, link.name)}: the folder of a model must hold no symbolic links`);
}
