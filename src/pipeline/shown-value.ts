/** A value as it is quoted in a message: JSON, cut where it is long. */
export function toShownValue(value: unknown): string {
  if (value === undefined) return '';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`;
}
