/** Patterns of values that must not leave the account, and their replacements. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // "Each account ID is a 12-digit number."
  [/(?<!\d)\d{12}(?!\d)/g, '<account>'],
  [/\b(?:AKIA|ASIA|AIDA|AROA)[A-Z0-9]{12,}\b/g, '<key>'],
  [/(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g, '<address>'],
  [/\b(X-Amz-(?:Signature|Credential|Security-Token))=[^&\s"]+/gi, '$1=<secret>'],
];

/** Text without account ids, access keys, signatures and e-mail addresses, which can be attached to a public report. */
export function mask(text: string): string {
  return SECRETS.reduce((masked, [pattern, instead]) => masked.replace(pattern, instead), text);
}
