import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** Where a value stands in a request or answer of a REST protocol. */
const Reference = z.strictObject({
  shape: z.string(),
  location: z.enum(['uri', 'querystring', 'header', 'headers', 'statusCode']).optional(),
  locationName: z.string().optional(),
  flattened: z.boolean().optional(),
  xmlAttribute: z.boolean().optional(),
  timestampFormat: z.string().optional(),
});
export type Reference = z.infer<typeof Reference>;

const Shape = z.strictObject({
  type: z.enum([
    'structure',
    'list',
    'map',
    'string',
    'blob',
    'boolean',
    'integer',
    'long',
    'float',
    'double',
    'timestamp',
  ]),
  members: z.record(z.string(), Reference).optional(),
  required: z.array(z.string()).optional(),
  /** Exactly one of its members is given. */
  union: z.boolean().optional(),
  /** Any JSON value. */
  document: z.boolean().optional(),
  /** The member that is the body of a REST request or answer. */
  payload: z.string().optional(),
  member: Reference.optional(),
  key: Reference.optional(),
  value: Reference.optional(),
  flattened: z.boolean().optional(),
  /** Smallest number; or the smallest length of anything else. */
  min: z.number().optional(),
  max: z.number().optional(),
  pattern: z.string().optional(),
  enum: z.array(z.string()).optional(),
  timestampFormat: z.string().optional(),
});
export type Shape = z.infer<typeof Shape>;

const Side = z.strictObject({
  shape: z.string(),
  resultWrapper: z.string().optional(),
  locationName: z.string().optional(),
});

const Operation = z.strictObject({
  input: Side.optional(),
  output: Side.optional(),
  http: z.strictObject({ method: z.string(), requestUri: z.string() }).optional(),
  /** A request may carry its body's checksum in a header that isn't among the members. */
  checksums: z.boolean().optional(),
});
export type Operation = z.infer<typeof Operation>;

const Model = z.strictObject({
  protocol: z.enum(['json', 'query', 'rest-json', 'rest-xml']),
  operations: z.record(z.string(), Operation),
  /** Read when they are first asked for: a stack meets few of them. */
  shapes: z.record(z.string(), z.unknown()),
});

/** AWS's own description of a service's calls, of those that the local stack emulates. */
export interface ServiceModel extends z.infer<typeof Model> {
  readonly service: string;
  readonly read: Map<string, Shape>;
}

const loaded = new Map<string, ServiceModel>();

/**
 * The model of a service, by its folder in the package.
 *
 * @throws {Error} where the model lacks one of the operations, with the command that adds it
 */
export function serviceModel(service: string, operations: readonly string[]): ServiceModel {
  const model = loaded.get(service) ?? load(service);
  loaded.set(service, model);
  const missing = operations.filter((operation) => !Object.hasOwn(model.operations, operation));
  if (missing.length === 0) return model;
  const wanted = missing.map((operation) => `${service}:${operation}`).join(' ');
  throw new Error(
    `packages/laptop/service-model/models/${service}.json lacks ${missing.join(', ')}: run python3 ` +
      `scripts/write-service-models.py ${wanted}`,
  );
}

function load(service: string): ServiceModel {
  const file = new URL(import.meta.resolve(`#laptop/service-model/models/${service}.json`));
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return { service, read: new Map(), ...Model.parse(parsed) };
}

/** @throws {Error} for a call that the model does not have */
export function operationOf(model: ServiceModel, name: string): Operation {
  const operation = Object.hasOwn(model.operations, name) ? model.operations[name] : undefined;
  if (operation === undefined)
    throw new Error(`packages/laptop/service-model/models/${model.service}.json has no operation ${name}`);
  return operation;
}

/** @throws {Error} for a name that the model does not have, which would be a defect of `scripts/write-service-models.py` */
export function shapeOf({ service, shapes, read }: ServiceModel, name: string): Shape {
  const known = read.get(name);
  if (known) return known;
  if (!Object.hasOwn(shapes, name))
    throw new Error(`packages/laptop/service-model/models/${service}.json has no shape ${name}`);
  const shape = Shape.parse(shapes[name]);
  read.set(name, shape);
  return shape;
}
