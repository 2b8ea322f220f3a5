/** Python that may define names which do not appear in the text. */
const DYNAMIC = [
  /import\s*\*|\b(?:globals|vars|exec|setattr)\s*\(/,
  /__getattr__|__dict__|\bsys\.modules\b/,
] as const;

/**
 * Whether a Python script may define a name: false only where its text has no definition, import or assignment of it, and nothing
 * that makes names while it runs.
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
