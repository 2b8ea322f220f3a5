import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../kernel/json.ts';
import type { PropertySchema, ResourceSchema } from './resource-schema.ts';

/**
 * Objections of a resource type's schema to resolved properties, in the words of CloudFormation's validator: `#/Timeout: 0 is not
 * greater or equal to 1`. Text that holds a number or a boolean counts as one, and the other way round, as in templates.
 */
export function propertyProblems(
  schema: ResourceSchema,
  properties: Readonly<Record<string, unknown>>,
): readonly string[] {
  return problemsOf(schema, properties, { path: '#', definitions: schema.definitions });
}

interface Place {
  /** A JSON pointer, as in `#/Environment/Variables`. */
  readonly path: string;
  readonly definitions: Readonly<Record<string, PropertySchema>>;
}

function problemsOf(schema: PropertySchema, value: unknown, place: Place): readonly string[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/definitions/', '');
    const definition = place.definitions[name];
    if (!definition) throw new Error(`a resource schema refers to ${schema.$ref}, which it does not define`);
    return problemsOf(definition, value, place);
  }
  const wrongType = typeProblem(schema, value);
  if (wrongType !== undefined) return [`${place.path}: ${wrongType}`];
  return [
    ...valueProblems(schema, value).map((problem) => `${place.path}: ${problem}`),
    ...(Array.isArray(value) ? itemProblems(schema, value, place) : []),
    ...(isRecord(value) ? memberProblems(schema, value, place) : []),
    ...choiceProblems(schema, value, place),
  ];
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'String',
  integer: 'Integer',
  number: 'Number',
  boolean: 'Boolean',
  object: 'JSONObject',
  array: 'JSONArray',
};

function typeProblem({ type }: PropertySchema, value: unknown): string | undefined {
  if (type === undefined) return undefined;
  const allowed = typeof type === 'string' ? [type] : type;
  if (allowed.some((one) => isOfType(one, value))) return undefined;
  const expected = allowed.map((one) => TYPE_NAMES[one] ?? one).join(' or ');
  return `expected type: ${expected}, found: ${foundType(value)}`;
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    case 'integer':
      return Number.isInteger(toNumber(value));
    case 'number':
      return toNumber(value) !== undefined;
    case 'boolean':
      return typeof value === 'boolean' || value === 'true' || value === 'false';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    default:
      throw new Error(`a resource schema has the type ${type}, which is unknown`);
  }
}

function foundType(value: unknown): string {
  if (Array.isArray(value)) return 'JSONArray';
  if (isRecord(value)) return 'JSONObject';
  if (typeof value === 'number') return Number.isInteger(value) ? 'Integer' : 'Double';
  return TYPE_NAMES[typeof value] ?? 'Null';
}

function valueProblems(schema: PropertySchema, value: unknown): readonly string[] {
  const problems: string[] = [];
  if (schema.enum && !schema.enum.some((one) => isSame(one, value)))
    problems.push(`${String(value)} is not a valid enum value`);
  if (schema.const !== undefined && !isSame(schema.const, value))
    problems.push(`${String(value)} is not ${String(schema.const)}`);
  if (!isRecord(value) && !Array.isArray(value) && isTextual(schema)) {
    const text = String(value);
    if (schema.minLength !== undefined && text.length < schema.minLength)
      problems.push(`expected minLength: ${schema.minLength}, actual: ${text.length}`);
    if (schema.maxLength !== undefined && text.length > schema.maxLength)
      problems.push(`expected maxLength: ${schema.maxLength}, actual: ${text.length}`);
    if (schema.pattern !== undefined && !toRegExp(schema.pattern).test(text))
      problems.push(`string [${text}] does not match pattern ${schema.pattern}`);
  }
  const number = toNumber(value);
  if (schema.minimum !== undefined && number !== undefined && number < schema.minimum)
    problems.push(`${number} is not greater or equal to ${schema.minimum}`);
  if (schema.maximum !== undefined && number !== undefined && number > schema.maximum)
    problems.push(`${number} is not less or equal to ${schema.maximum}`);
  return problems;
}

function isTextual({ type }: PropertySchema): boolean {
  return type === undefined || type === 'string' || type.includes('string');
}

/** The patterns are Java's; two of its anchors are spelled otherwise in JavaScript. */
export function toRegExp(pattern: string): RegExp {
  return new RegExp(pattern.replaceAll('\\Z', '$').replaceAll('\\A', '^'));
}

function itemProblems(
  schema: PropertySchema,
  items: readonly unknown[],
  { path, definitions }: Place,
): readonly string[] {
  const problems: string[] = [];
  if (schema.minItems !== undefined && items.length < schema.minItems)
    problems.push(`${path}: expected minimum item count: ${schema.minItems}, found: ${items.length}`);
  if (schema.maxItems !== undefined && items.length > schema.maxItems)
    problems.push(`${path}: expected maximum item count: ${schema.maxItems}, found: ${items.length}`);
  const isTwice = items.some((one, index) =>
    items.slice(0, index).some((other) => isDeepStrictEqual(one, other)),
  );
  if (schema.uniqueItems && isTwice) problems.push(`${path}: array items are not unique`);
  const { items: each } = schema;
  if (each)
    problems.push(
      ...items.flatMap((item, index) => problemsOf(each, item, { path: `${path}/${index}`, definitions })),
    );
  return problems;
}

function memberProblems(
  schema: PropertySchema,
  value: Readonly<Record<string, unknown>>,
  { path, definitions }: Place,
): readonly string[] {
  const problems = (schema.required ?? [])
    .filter((name) => value[name] === undefined)
    .map((name) => `${path}: required key [${name}] not found`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (schema.minProperties !== undefined && members.length < schema.minProperties)
    problems.push(`${path}: minimum size: [${schema.minProperties}], found: [${members.length}]`);
  for (const [name, member] of members) {
    const inner = { path: `${path}/${name}`, definitions };
    const declared = declaredAs(schema, name);
    if (declared.length > 0) {
      problems.push(...declared.flatMap((one) => problemsOf(one, member, inner)));
    } else if (schema.additionalProperties === false) {
      problems.push(`${path}: extraneous key [${name}] is not permitted`);
    } else if (typeof schema.additionalProperties === 'object') {
      problems.push(...problemsOf(schema.additionalProperties, member, inner));
    }
  }
  return problems;
}

function declaredAs({ properties, patternProperties }: PropertySchema, name: string): PropertySchema[] {
  const own = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  const matching = Object.entries(patternProperties ?? {}).filter(([pattern]) =>
    toRegExp(pattern).test(name),
  );
  return [...(own ? [own] : []), ...matching.map(([, schema]) => schema)];
}

function choiceProblems(schema: PropertySchema, value: unknown, place: Place): readonly string[] {
  const fits = (one: PropertySchema): boolean => problemsOf(one, value, place).length === 0;
  const problems = (schema.allOf ?? []).flatMap((one) => problemsOf(one, value, place));
  if (schema.anyOf && !schema.anyOf.some(fits))
    problems.push(`${place.path}: no subschema matched out of the total ${schema.anyOf.length} subschemas`);
  const matched = schema.oneOf?.filter(fits).length ?? 1;
  if (matched !== 1) problems.push(`${place.path}: ${matched} subschemas matched instead of one`);
  return problems;
}

function isSame(one: unknown, other: unknown): boolean {
  return (
    isDeepStrictEqual(one, other) || (!isRecord(one) && !isRecord(other) && String(one) === String(other))
  );
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
}
