/**
 * Parses JSON that a person wrote: Windows tools put U+FEFF before it.
 *
 * @throws {SyntaxError}
 */
export function parseWrittenJson(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ''));
}
