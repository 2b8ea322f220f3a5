/**
 * What a person's JSON file says; tools of Windows begin one with U+FEFF.
 *
 * @throws {SyntaxError}
 */
export function parseWrittenJson(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ''));
}
