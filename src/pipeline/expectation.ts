import type { SchemaNode } from './schema-node.ts';

/** The values that a place accepts, in words: `"auto" or 1..100`. */
export function toExpectation(nodes: readonly SchemaNode[]): string {
  const texts = new Set(nodes.map(toText));
  return [...texts].join(' or ');
}

function toText(node: SchemaNode): string {
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return `one of ${node.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  const types = typeof node.type === 'string' ? [node.type] : (node.type ?? []);
  return types.map((type) => toTypeText(type, node)).join(' or ') || 'another value';
}

function toTypeText(type: string, node: SchemaNode): string {
  switch (type) {
    case 'integer':
    case 'number':
      return toRange(type, node);
    case 'array':
      return node.minItems === undefined
        ? 'an array'
        : `an array of ${toCount(node.minItems, node.maxItems)}`;
    case 'object':
      return node.properties === undefined
        ? 'an object'
        : `an object with ${Object.keys(node.properties).join(', ')}`;
    case 'string':
      return node.maxLength === undefined
        ? 'a string'
        : `a string of ${toCount(node.minLength ?? 0, node.maxLength)} characters`;
    case 'null':
      return 'null';
    case 'boolean':
      return 'true or false';
    default:
      return `a ${type}`;
  }
}

function toRange(type: string, { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaNode): string {
  if (exclusiveMinimum !== undefined && exclusiveMaximum !== undefined)
    return `above ${exclusiveMinimum}, below ${exclusiveMaximum}`;
  const bounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (exclusiveMinimum !== undefined)
    return bounded ? `above ${exclusiveMinimum}, up to ${maximum}` : `above ${exclusiveMinimum}`;
  if (minimum !== undefined && bounded) return `${minimum}..${maximum}`;
  if (minimum !== undefined) return `${minimum} or more`;
  return type === 'integer' ? 'a whole number' : 'a number';
}

function toCount(least: number, most: number | undefined): string {
  return most === undefined ? `${least} or more` : `${least} to ${most}`;
}
