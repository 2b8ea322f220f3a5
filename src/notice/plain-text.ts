const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text on one line. Characters that control a terminal or the direction of text become `�`. */
export function toPlainText(text: string): string {
  return text.replace(UNSAFE, '\uFFFD');
}

/** The same in printable ASCII, for an e-mail's subject; other characters become `?`. */
export function toAsciiText(text: string): string {
  return text.replaceAll('\u202F', ' ').replace(/[^\x20-\x7e]/gu, '?');
}

/** Text cut to at most `longest` characters, with `...` in place of its middle. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const kept = longest - 3;
  const head = Math.ceil(kept / 2);
  return `${text.slice(0, head)}...${text.slice(text.length - (kept - head))}`;
}
