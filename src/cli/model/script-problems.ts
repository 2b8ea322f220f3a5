import { checkSyntax } from '@inferdrop/model-container/check-syntax';

const SCRIPT = 'code/inference.py';

/** Why Python cannot compile an archive's script, or a module beside it that it imports; each reason ends with the place. */
export async function syntaxProblems(scripts: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const script = scripts.get(SCRIPT) ?? '';
  const imported = new Set(
    Array.from(script.matchAll(/^[ \t]*(?:import|from)[ \t]+(\w+)/gm), ([, name]) => `code/${name}.py`),
  );
  const used = [...scripts].filter(([name]) => name === SCRIPT || imported.has(name));
  return Array.from(
    await checkSyntax(new Map(used)),
    ([name, error]) => `has a ${name} that Python cannot compile, so that every job would fail: ${error}`,
  );
}
