import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { pythonMinorOf } from '../image.ts';
import { startFrameProcess } from '../python-process/frame-process.ts';
import { PYODIDE_CODE } from './pyodide-code.ts';
import { pyodideSnapshot } from './pyodide-snapshot.ts';
import { restrictedPyodide } from './sandbox.ts';

const ENTRY = fileURLToPath(import.meta.resolve('#model-container/handlers/script-process.ts'));
const Findings = z.object({
  findings: z.array(
    z.object({
      /**
       * - `syntax`: no Python can compile it
       * - `damage`: the image's Python fails on it
       * - `refused`: it can't run in Pyodide
       * - `remark`: it runs, and may go another way here than on AWS
       */
      kind: z.literal(['syntax', 'damage', 'refused', 'remark']),
      file: z.string(),
      /** A sentence with file and line, without the remedy; for `syntax` only the line and the error. */
      text: z.string(),
      /** Another remedy than an installed Python, or empty. */
      alternative: z.string(),
    }),
  ),
});

/** A place in a script that the image's Python takes otherwise than Pyodide. */
export type ScriptFinding = z.infer<typeof Findings>['findings'][number];

/** The scripts of an archive by their names, the names of all its files, and the image that serves it: the newest one by default. */
interface CheckedScripts {
  readonly scripts: ReadonlyMap<string, string>;
  readonly files: readonly string[];
  readonly image?: string;
}

/** Findings by the digest of the scripts: many models share a script, and each start of Python costs 0.6 s of processor time. */
const known = new Map<string, Promise<readonly ScriptFinding[]>>();

/**
 * Reads code/inference.py, and the modules next to it that it imports, without running them, in a process that reads no other file of this
 * machine.
 *
 * @throws {Error} if Python does not start
 */
export async function checkScripts({
  scripts,
  files,
  image = '',
}: CheckedScripts): Promise<readonly ScriptFinding[]> {
  if (!scripts.has('code/inference.py')) return [];
  const asked = { scripts: Object.fromEntries(scripts), files, minor: pythonMinorOf(image) };
  const digest = createHash('sha256').update(JSON.stringify(asked)).digest('hex');
  const findings = known.get(digest) ?? ask(asked);
  known.set(digest, findings);
  findings.catch(() => known.delete(digest));
  return findings;
}

async function ask(asked: object): Promise<readonly ScriptFinding[]> {
  const snapshot = await pyodideSnapshot();
  let answer: unknown;
  const child = startFrameProcess({
    ...restrictedPyodide(ENTRY, [...PYODIDE_CODE, snapshot]),
    name: 'the check of scripts',
    onFrame: ({ header }) => void (answer = header),
    log: () => undefined,
  });
  child.send({ snapshot, ...asked });
  const end = await child.gone;
  const read = Findings.safeParse(answer);
  if (!read.success) throw new Error(`scripts could not be checked: ${end}`);
  return read.data.findings;
}
