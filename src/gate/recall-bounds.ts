/** Recall bounds by class name; `*` is the bound of every class that is not named. A number is the bound of every class. */
export type RecallBounds = number | Readonly<Record<string, number>>;

/** The bound of one class; undefined if it has no bound. */
export function recallBound(bounds: RecallBounds, name: string): number | undefined {
  if (typeof bounds === 'number') return bounds;
  return Object.hasOwn(bounds, name) ? bounds[name] : bounds['*'];
}

/** The classes with a bound of their own, so that a bound on a class without records can be reported. */
export function namedBounds(bounds: RecallBounds): readonly string[] {
  return typeof bounds === 'number' ? [] : Object.keys(bounds).filter((name) => name !== '*');
}
