/**
 * Unfolds the flat names of the Query protocol into the value that a JSON call would have carried, all leaves strings:
 * `Parameters.member.1.ParameterKey=a` → `{ Parameters: [{ ParameterKey: 'a' }] }`,
 * `Attributes.entry.1.key=a&Attributes.entry.1.value=b` → `{ Attributes: { a: 'b' } }` (also with `Name`/`Value`, as SNS spells them).
 */
export function parseQueryParameters(form: URLSearchParams): Readonly<Record<string, unknown>> {
  const root: Branch = new Map();
  for (const [name, value] of form) {
    if (name !== 'Action' && name !== 'Version') plant(root, name.split('.'), value);
  }
  return toRecord(root);
}

type Branch = Map<string, Branch | string>;

function plant(root: Branch, path: readonly string[], value: string): void {
  let branch = root;
  for (const step of path.slice(0, -1)) {
    const next = branch.get(step);
    if (next instanceof Map) branch = next;
    else {
      const made: Branch = new Map();
      branch.set(step, made);
      branch = made;
    }
  }
  branch.set(path.at(-1) ?? '', value);
}

function toValue(node: Branch | string): unknown {
  if (typeof node === 'string') return node;
  const only = node.size === 1 ? [...node.keys()][0] : undefined;
  if (only === 'member' || only === 'entry') {
    const items = node.get(only);
    if (items instanceof Map && isNumbered(items)) return only === 'member' ? toList(items) : toMap(items);
    // An empty list is sent as `Name.member=` by some clients.
    if (items === '') return only === 'member' ? [] : {};
  }
  return isNumbered(node) ? toList(node) : toRecord(node);
}

function isNumbered(node: Branch): boolean {
  return node.size > 0 && [...node.keys()].every((name) => /^[1-9]\d*$/.test(name));
}

function toList(node: Branch): unknown[] {
  return [...node].sort(([a], [b]) => Number(a) - Number(b)).map(([, item]) => toValue(item));
}

function toMap(node: Branch): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...node.values()].map((entry) => {
      if (!(entry instanceof Map)) return ['', entry];
      const value = entry.get('value') ?? entry.get('Value') ?? '';
      const key = entry.get('key') ?? entry.get('Name') ?? '';
      return [typeof key === 'string' ? key : '', toValue(value)];
    }),
  );
}

function toRecord(node: Branch): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...node].map(([name, item]) => [name, toValue(item)]));
}
