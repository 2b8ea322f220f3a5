import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkScripts } from './check-scripts.ts';
import { readHandlerScript, requiredPackages } from './handler-script.ts';
import { HandlerRefused, WITH_PYTHON } from './python-service.ts';

/** Why the script of an unpacked archive can't run without an installed Python, with the remedy; undefined if it can. */
export async function checkScript(modelDir: string, image: string): Promise<string | undefined> {
  const script = await readHandlerScript(modelDir);
  const needed = requiredPackages(script.requirements);
  if (needed !== undefined) return `${needed}: ${WITH_PYTHON}`;
  if (!script.hasInferenceScript) return undefined;
  const code = join(modelDir, 'code');
  const entries = await readdir(code, { withFileTypes: true });
  const packed = script.hasLib ? await readdir(join(code, 'lib')) : [];
  const scripts = new Map<string, string>();
  for (const { name } of entries.filter((one) => one.isFile() && one.name.endsWith('.py')))
    scripts.set(`code/${name}`, await readFile(join(code, name), 'utf8'));
  const files = [...entries.map(({ name }) => `code/${name}`), ...packed.map((name) => `code/lib/${name}`)];
  const findings = await checkScripts({ scripts, files, image });
  const refused = findings.find(({ kind }) => kind === 'refused');
  return refused && new HandlerRefused(refused.text, true, refused.alternative).message;
}
