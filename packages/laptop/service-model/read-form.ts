import { type Operation, type Reference, type ServiceModel, shapeOf } from './model.ts';
import { readLeaf } from './read-leaf.ts';

/**
 * Reads the flat names of the Query protocol as the value that a JSON call would have carried:
 * `Parameters.member.1.ParameterKey=a` → `{ Parameters: [{ ParameterKey: 'a' }] }`,
 * `Attributes.entry.1.key=a&Attributes.entry.1.value=b` → `{ Attributes: { a: 'b' } }`.
 * A name that the model does not know stays as it is.
 */
export function readForm(
  model: ServiceModel,
  { input }: Operation,
  form: URLSearchParams,
): Readonly<Record<string, unknown>> {
  const root: Branch = new Map();
  for (const [name, value] of form) {
    if (name !== 'Action' && name !== 'Version') plant(root, name.split('.'), value);
  }
  return readMembers(model, input && shapeOf(model, input.shape).members, root);
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

function readMembers(
  model: ServiceModel,
  members: Readonly<Record<string, Reference>> = {},
  branch: Branch,
): Readonly<Record<string, unknown>> {
  const byName = new Map(
    Object.entries(members).map(([member, reference]) => [
      reference.locationName ?? member,
      [member, reference] as const,
    ]),
  );
  return Object.fromEntries(
    [...branch].map(([name, node]) => {
      const [member, reference] = byName.get(name) ?? [name, undefined];
      return [member, reference === undefined ? plain(node) : read(model, reference.shape, node)];
    }),
  );
}

function read(model: ServiceModel, name: string, node: Branch | string): unknown {
  const shape = shapeOf(model, name);
  // An empty list is sent as `Name=` or `Name.member=`.
  const items = (itemName: string): Branch | string =>
    node instanceof Map ? (node.get(itemName) ?? node) : node;
  switch (shape.type) {
    case 'structure':
      return node instanceof Map ? readMembers(model, shape.members, node) : node;
    case 'list': {
      const list = items(shape.member?.locationName ?? 'member');
      if (list === '') return [];
      if (!isNumbered(list)) return plain(node);
      return inOrder(list).map((item) =>
        shape.member ? read(model, shape.member.shape, item) : plain(item),
      );
    }
    case 'map': {
      const map = items('entry');
      if (map === '') return {};
      if (!isNumbered(map)) return plain(node);
      const [keyName, valueName] = [shape.key?.locationName ?? 'key', shape.value?.locationName ?? 'value'];
      return Object.fromEntries(
        inOrder(map).map((entry) => {
          const key = entry instanceof Map ? entry.get(keyName) : undefined;
          const value = (entry instanceof Map ? entry.get(valueName) : undefined) ?? '';
          return [
            typeof key === 'string' ? key : '',
            shape.value ? read(model, shape.value.shape, value) : plain(value),
          ];
        }),
      );
    }
    default:
      return typeof node === 'string' ? readLeaf(shape, node) : plain(node);
  }
}

function isNumbered(node: Branch | string): node is Branch {
  return node instanceof Map && node.size > 0 && [...node.keys()].every((name) => /^[1-9]\d*$/.test(name));
}

function inOrder(list: Branch): readonly (Branch | string)[] {
  return [...list].sort(([a], [b]) => Number(a) - Number(b)).map(([, item]) => item);
}

function plain(node: Branch | string): unknown {
  return typeof node === 'string'
    ? node
    : Object.fromEntries([...node].map(([name, item]) => [name, plain(item)]));
}
