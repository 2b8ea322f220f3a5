import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** A JSON Schema as AWS's resource provider schemas use it. */
export interface PropertySchema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, PropertySchema>> | undefined;
  readonly patternProperties?: Readonly<Record<string, PropertySchema>> | undefined;
  readonly additionalProperties?: boolean | PropertySchema | undefined;
  readonly required?: readonly string[] | undefined;
  readonly minProperties?: number | undefined;
  readonly items?: PropertySchema | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly pattern?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly anyOf?: readonly PropertySchema[] | undefined;
  readonly oneOf?: readonly PropertySchema[] | undefined;
  readonly allOf?: readonly PropertySchema[] | undefined;
}

const propertySchemaShape = {
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  get properties() {
    return z.record(z.string(), PropertySchema).optional();
  },
  get patternProperties() {
    return z.record(z.string(), PropertySchema).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), PropertySchema]).optional();
  },
  required: z.array(z.string()).optional(),
  minProperties: z.number().optional(),
  get items() {
    return PropertySchema.optional();
  },
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  uniqueItems: z.boolean().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  get anyOf() {
    return z.array(PropertySchema).optional();
  },
  get oneOf() {
    return z.array(PropertySchema).optional();
  },
  get allOf() {
    return z.array(PropertySchema).optional();
  },
};
const PropertySchema: z.ZodType<PropertySchema> = z.lazy(() => z.strictObject(propertySchemaShape));

const ResourceSchema = z.strictObject({
  ...propertySchemaShape,
  properties: z.record(z.string(), PropertySchema),
  definitions: z.record(z.string(), PropertySchema).default({}),
  /** JSON pointers, as in `/properties/BucketName`; a change of one replaces the resource. */
  createOnlyProperties: z.array(z.string()).default([]),
  readOnlyProperties: z.array(z.string()).default([]),
  primaryIdentifier: z.array(z.string()),
});
export type ResourceSchema = z.infer<typeof ResourceSchema>;

const File = z.strictObject({ source: z.string(), types: z.record(z.string(), ResourceSchema) });

let schemas: Readonly<Record<string, ResourceSchema>> | undefined;

/** AWS's schema of a resource type; undefined if this stack does not have it. */
export function resourceSchemaOf(type: string): ResourceSchema | undefined {
  schemas ??= File.parse(
    JSON.parse(
      readFileSync(
        new URL(import.meta.resolve('#laptop/cloudformation/schemas/resource-schemas.json')),
        'utf8',
      ),
    ),
  ).types;
  return Object.hasOwn(schemas, type) ? schemas[type] : undefined;
}

/** The names of top-level properties that JSON pointers name, as in `/properties/BucketName`. */
export function topLevelNames(pointers: readonly string[]): readonly string[] {
  return pointers.map((pointer) => pointer.replace('/properties/', '')).filter((name) => !name.includes('/'));
}

/** Names among `names` that replace a resource of this type when they change ("Update requires: Replacement"). */
export function replacingProperties(type: string, names: readonly string[]): readonly string[] {
  const createOnly = topLevelNames(resourceSchemaOf(type)?.createOnlyProperties ?? []);
  return names.filter((name) => createOnly.includes(name));
}

/**
 * Identifier of a resource if its template names it, as in `{"FunctionName": "resize"}`; undefined if CloudFormation or the service
 * chooses the name.
 */
export function givenIdentifier(
  type: string,
  properties: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const pointers = resourceSchemaOf(type)?.primaryIdentifier ?? [];
  const names = topLevelNames(pointers);
  const isGiven = pointers.length > 0 && names.every((name) => properties[name] !== undefined);
  return isGiven ? Object.fromEntries(names.map((name) => [name, properties[name]])) : undefined;
}
