import { type Reference, type ServiceModel, type Shape, shapeOf } from './model.ts';
import { readLeaf } from './read-leaf.ts';

/** Reads the elements below one that is a structure as the value that JSON would carry; an element that the model does not know stays. */
export function readXmlMembers(
  model: ServiceModel,
  shape: string,
  node: unknown,
): Readonly<Record<string, unknown>> {
  const members = shapeOf(model, shape).members ?? {};
  const byElement = new Map(
    Object.entries(members)
      .filter(([, { location }]) => location === undefined)
      .map(([member, reference]) => [elementOf(model, member, reference), [member, reference] as const]),
  );
  return Object.fromEntries(
    elementsOf(node).map(([element, child]) => {
      const [member, reference] = byElement.get(element) ?? [element, undefined];
      return [member, reference === undefined ? child : read(model, reference, child)];
    }),
  );
}

/** A flattened list's items stand where the list would, under their own name if they have one. */
function elementOf(model: ServiceModel, member: string, { locationName, shape: name }: Reference): string {
  const shape = shapeOf(model, name);
  return (isFlattened(shape) ? shape.member?.locationName : undefined) ?? locationName ?? member;
}

function isFlattened({ type, flattened = false }: Shape): boolean {
  return type === 'list' && flattened;
}

function read(model: ServiceModel, { shape: name }: Reference, node: unknown): unknown {
  const shape = shapeOf(model, name);
  switch (shape.type) {
    case 'structure':
      return readXmlMembers(model, name, node);
    case 'list': {
      const items = isFlattened(shape) ? node : childOf(node, shape.member?.locationName ?? 'member');
      return itemsOf(items).map((item) => (shape.member ? read(model, shape.member, item) : item));
    }
    case 'map':
      return Object.fromEntries(
        itemsOf(childOf(node, 'entry')).map((entry) => [
          String(childOf(entry, shape.key?.locationName ?? 'key')),
          shape.value && read(model, shape.value, childOf(entry, shape.value.locationName ?? 'value')),
        ]),
      );
    default:
      return typeof node === 'string' ? readLeaf(shape, node) : node;
  }
}

function itemsOf(node: unknown): readonly unknown[] {
  if (node === undefined || node === '') return [];
  return Array.isArray(node) ? node : [node];
}

function childOf(node: unknown, name: string): unknown {
  return elementsOf(node).find(([element]) => element === name)?.[1];
}

/** White space between elements is not an element. */
function elementsOf(node: unknown): readonly (readonly [string, unknown])[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).filter(([element]) => element !== '#text');
}
