import * as z from 'zod';

/** The part of JSON Schema that our configuration files use. */
export interface SchemaNode {
  readonly type?: string | readonly string[] | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly properties?: Readonly<Record<string, SchemaNode>> | undefined;
  /** Schema of the values of a map; false if no other property is allowed. */
  readonly additionalProperties?: SchemaNode | boolean | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: SchemaNode | undefined;
  readonly anyOf?: readonly SchemaNode[] | undefined;
  readonly oneOf?: readonly SchemaNode[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly description?: string | undefined;
  readonly default?: unknown;
}

const Node: z.ZodType<SchemaNode> = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  get properties() {
    return z.record(z.string(), Node).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), Node]).optional();
  },
  required: z.array(z.string()).optional(),
  get items() {
    return Node.optional();
  },
  get anyOf() {
    return z.array(Node).optional();
  },
  get oneOf() {
    return z.array(Node).optional();
  },
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
});

/** A configuration file's own JSON Schema, read back so that messages can be derived from it. */
export function toSchemaNode(schema: z.ZodType): SchemaNode {
  return Node.parse(z.toJSONSchema(schema, { io: 'input' }));
}

/** The schemas of the alternatives at a path; alternatives with constants that contradict the value are left out. */
export function nodesAt(root: SchemaNode, path: readonly PropertyKey[], value: unknown): SchemaNode[] {
  let nodes = alternatives(root, value);
  let current = value;
  for (const step of path) {
    current = childOf(current, step);
    nodes = nodes.flatMap((node) => {
      const child = typeof step === 'number' ? node.items : propertyOf(node, String(step));
      return child === undefined ? [] : alternatives(child, current);
    });
  }
  return nodes;
}

/** The value at a path of a parsed JSON value; undefined if there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(childOf, value);
}

/** Every dotted path of a file, objects included. */
export function pathsOf(node: SchemaNode, prefix = ''): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => [
    `${prefix}${name}`,
    ...pathsOf(child, `${prefix}${name}.`),
  ]);
}

function propertyOf({ properties, additionalProperties }: SchemaNode, name: string): SchemaNode | undefined {
  const ofMap = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return properties?.[name] ?? ofMap;
}

function alternatives(node: SchemaNode, value: unknown): SchemaNode[] {
  const choices = node.anyOf ?? node.oneOf;
  if (choices !== undefined) {
    const all = choices.flatMap((choice) => alternatives(choice, value));
    return node.description === undefined
      ? all
      : all.map((choice) => ({ description: node.description, ...choice }));
  }
  return contradicts(node, value) ? [] : [node];
}

function contradicts(node: SchemaNode, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(node.properties ?? {}).some(([name, child]) => {
    const given = childOf(value, name);
    return child.const !== undefined && given !== undefined && given !== child.const;
  });
}

function childOf(value: unknown, step: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
}
