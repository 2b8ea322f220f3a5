import type { Problem } from './problem.ts';

/** The problems, unless one of the fields they depend on is itself wrong; then none. */
export function unlessOn(
  fields: readonly string[],
  wrong: readonly Problem[],
  problems: readonly Problem[],
): readonly Problem[] {
  const isWithin = (inner: string, outer: string): boolean =>
    inner === outer || inner.startsWith(`${outer}.`);
  return wrong.some(({ field }) => fields.some((on) => isWithin(field, on) || isWithin(on, field)))
    ? []
    : problems;
}
