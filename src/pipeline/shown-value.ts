/** A value as quoted in a message: JSON, truncated where it is long. */
export function toShownValue(value: unknown): string {
  if (value === undefined) return '';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`;
}
