import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile } from 'esbuild';

/** How a module names a file below its own folder, which is therefore also below the bundle that replaces the module. */
const OPENED = /new URL\('(?:\.\/)?([\w/-]+\.(?:wasm|py))', import\.meta\.url\)/g;

/** Copies the files that the modules of an output open to where the output looks for them. */
export async function carryFiles(root: string, output: string, { outputs }: Metafile): Promise<void> {
  for (const module of Object.keys(outputs[output]?.inputs ?? {})) {
    if (!module.startsWith('packages/')) continue;
    for (const [, file = ''] of (await readFile(path.join(root, module), 'utf8')).matchAll(OPENED))
      await cp(path.resolve(root, module, '..', file), path.resolve(root, output, '..', file));
  }
}
