/** Reads a value out of an event; `undefined` if it is not there. */
export type EventPath = (event: unknown) => unknown;

const STEP = /^(?:\.(?<name>[\w/-]+|\*)|\[(?<index>\d+|\*)\])/;

/**
 * Reads the part of JSONPath that EventBridge knows: `$`, `.name` (with dashes, underscores and slashes), `[0]` and `*`.
 *
 * @throws {Error} at anything else
 */
export function parseEventPath(path: string): EventPath {
  if (!path.startsWith('$')) throw new Error(`JSON path ${path} must start with $`);
  const steps: (string | number)[] = [];
  let fansOut = false;
  for (let rest = path.slice(1); rest !== '';) {
    const groups = STEP.exec(rest);
    if (!groups?.groups) throw new Error(`JSON path ${path}: ${rest} is not understood; use .name, [0] or *`);
    const { name, index } = groups.groups;
    if (name === '*' || index === '*') fansOut = true;
    steps.push(name ?? (index === '*' ? '*' : Number(index)));
    rest = rest.slice(groups[0].length);
  }
  return (event) => {
    const found = steps.reduce<unknown[]>(
      (values, step) => values.flatMap((value) => follow(value, step)),
      [event],
    );
    return fansOut ? (found.length > 0 ? found : undefined) : found[0];
  };
}

function follow(value: unknown, step: string | number): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (step === '*') return Object.values(value);
  if (typeof step === 'number' && !Array.isArray(value)) return [];
  const member: unknown = Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined;
  return member === undefined ? [] : [member];
}
