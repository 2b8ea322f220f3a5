/** The script of an archive that its container calls. */
export const INFERENCE_SCRIPT = 'code/inference.py';

/** Python that may define names which do not appear in the text. */
const DYNAMIC = [
  /import\s*\*|\b(?:globals|vars|exec|setattr)\s*\(/,
  /__getattr__|__dict__|\bsys\.modules\b/,
] as const;

/** Why imports of an archive's scripts fail in any container; each reason includes the remedy. */
export function importProblems(scripts: ReadonlyMap<string, string>): string[] {
  return [...scripts].flatMap(([file, text]) =>
    Array.from(
      text.matchAll(/^[ \t]*(?:from code\.(\w+)|import code\.(\w+)|from code import (\w+))\b/gm),
      ([, from, plain, one]) => from ?? plain ?? one ?? '',
    )
      .filter((name) => scripts.has(`code/${name}.py`))
      .map(
        (name) =>
          `has a ${file} that imports ${name} from code, which is a module of Python itself: import it by its own name (import ${name})`,
      ),
  );
}

/**
 * Whether a Python script may define a name: false only if its text has no definition, import or assignment of it, and nothing that
 * makes names while it runs.
 */
export function mayDefine(script: string, name: string): boolean {
  return (
    DYNAMIC.some((pattern) => pattern.test(script)) ||
    new RegExp(
      `(?:\\b(?:def|class|import|as|for)|[,(:;=\\\\])\\s*${name}\\b|^[ \\t]*${name}\\s*(?:[,=:)\\\\]|$)`,
      'm',
    ).test(script)
  );
}
