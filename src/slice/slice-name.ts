/** A slice as the gate and the report name it: `site=B`; `site=` has the records without a value. */
export function toSliceName(dimension: string, value: string | null): string {
  return `${dimension}=${value ?? ''}`;
}

/** Dimension and value of a slice's name; undefined if it names no dimension. */
export function parseSliceName(
  name: string,
): { readonly dimension: string; readonly value: string | null } | undefined {
  const end = name.indexOf('=');
  if (end < 1) return undefined;
  const value = name.slice(end + 1);
  return { dimension: name.slice(0, end), value: value === '' ? null : value };
}
