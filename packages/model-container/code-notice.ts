import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContainerSpec } from './container.ts';
import { readHandlerScript } from './handlers/handler-script.ts';

/** Where the code of an archive runs: in Pyodide, or in an installed Python, which has the rights of the user. */
type CodePlace = 'pyodide' | 'python';

/** Says once for each `code/` folder, before it first runs, that an archive has a program and what that program can reach. */
type NoticeCode = (spec: ContainerSpec, place: CodePlace) => Promise<void>;

/** @param write takes a line for the laptop's user */
export function createCodeNotice(write: (line: string) => void): NoticeCode {
  const noticed = new Set<string>();
  return async ({ modelDir, networkIsolation }, place) => {
    const { hasInferenceScript, hasLib, hasRequirements, requirements } = await readHandlerScript(modelDir);
    if (!hasInferenceScript && !(place === 'python' && hasRequirements)) return;
    const digest = await digestOf(join(modelDir, 'code'));
    const key = `${place} ${digest}`;
    if (noticed.has(key)) return;
    noticed.add(key);
    const installed =
      place === 'python' && requirements.length > 0 && !hasLib && !networkIsolation
        ? `; pip installs what its code/requirements.txt names (${requirements.join(', ')}), and runs what those packages run`
        : '';
    write(
      place === 'python'
        ? `a model archive brings a program (code/ ${digest}), which runs as you: it can read, change and send what you ` +
            `can${installed}. Run archives that you trust`
        : `a model archive brings a program (code/ ${digest}), which runs in Pyodide and cannot reach your files, variables and programs`,
    );
  };
}

/** The first 12 digits of a SHA-256 over the names of the files and the texts of the scripts and requirements. */
async function digestOf(code: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(code, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files.sort()) {
    const name = file.slice(code.length + 1);
    hash.update(`${name}\0`);
    if (name.endsWith('.py') || name.endsWith('.txt')) hash.update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 12);
}
