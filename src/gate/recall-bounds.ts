/** Recall bounds by class name; `*` stands for every class that is not named. A number alone is that of every class. */
export type RecallBounds = number | Readonly<Record<string, number>>;

/** The bound of one class; undefined where it has none. */
export function recallBound(bounds: RecallBounds, name: string): number | undefined {
  if (typeof bounds === 'number') return bounds;
  return Object.hasOwn(bounds, name) ? bounds[name] : bounds['*'];
}

/** The classes that are named, so that a bound on a class without records can be told. */
export function namedBounds(bounds: RecallBounds): readonly string[] {
  return typeof bounds === 'number' ? [] : Object.keys(bounds).filter((name) => name !== '*');
}
