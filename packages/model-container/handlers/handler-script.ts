import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The facts of an archive's `code/` folder that decide how it is run. */
export interface HandlerScript {
  readonly hasInferenceScript: boolean;
  readonly hasLib: boolean;
  readonly hasRequirements: boolean;
  /** Whether pip looks into an index for the packages of `code/requirements.txt`, and not only into the archive. */
  readonly needsIndex: boolean;
  /** Lines of `code/requirements.txt` that name a package other than `requests`; empty if `code/lib` replaces the file. */
  readonly requirements: readonly string[];
}

/** Reads `code/` of an unpacked archive. */
export async function readHandlerScript(modelDir: string): Promise<HandlerScript> {
  const code = join(modelDir, 'code');
  const [hasInferenceScript, hasLib, hasRequirements] = await Promise.all([
    exists(join(code, 'inference.py')),
    exists(join(code, 'lib')),
    exists(join(code, 'requirements.txt')),
  ]);
  const text = hasRequirements && !hasLib ? await readFile(join(code, 'requirements.txt'), 'utf8') : '';
  const requirements = text
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*/s, '').trim())
    .filter((line) => line !== '' && !line.startsWith('--') && !/^requests\s*(?:[=<>!~;[]|$)/i.test(line));
  const needsIndex = !/^[ \t]*--no-index[ \t]*$/m.test(text);
  return { hasInferenceScript, requirements, needsIndex, hasLib, hasRequirements };
}

/** Why packages that an archive asks for cannot be had without an installed Python. */
export function requiredPackages(requirements: readonly string[]): string | undefined {
  return requirements.length === 0
    ? undefined
    : `code/requirements.txt asks for ${requirements.join(', ')}, which needs a Python installation`;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
