import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { startFrameProcess } from '../python-process/frame-process.ts';
import { PYODIDE_CODE } from './pyodide-code.ts';
import { pyodideSnapshot } from './pyodide-snapshot.ts';
import { restrictedPyodide } from './sandbox.ts';

const ENTRY = fileURLToPath(import.meta.resolve('#model-container/handlers/syntax-process.ts'));
const Answer = z.object({ errors: z.record(z.string(), z.string()) });

/**
 * Compiles Python scripts, by name, without running them, in a process that reads no other file of this machine.
 *
 * @returns the first error of each script that has one, with its line
 * @throws {Error} if Python does not start
 */
export async function checkSyntax(
  scripts: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  if (scripts.size === 0) return new Map();
  const snapshot = await pyodideSnapshot();
  let answer: unknown;
  const child = startFrameProcess({
    ...restrictedPyodide(ENTRY, [...PYODIDE_CODE, snapshot]),
    name: 'the Python compiler',
    onFrame: ({ header }) => void (answer = header),
    log: () => undefined,
  });
  child.send({ snapshot, scripts: Object.fromEntries(scripts) });
  const end = await child.gone;
  const read = Answer.safeParse(answer);
  if (!read.success) throw new Error(`scripts could not be compiled: ${end}`);
  return new Map(Object.entries(read.data.errors));
}
