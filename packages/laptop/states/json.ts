/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object of JSON. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Neither an array nor null. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Array.isArray` that keeps the element type of read-only arrays. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** @throws {SyntaxError} */
export function parseJson(text: string): Json {
  const value: Json = JSON.parse(text);
  return value;
}

/** The value has no form in JSON: a function, a regular expression, a number out of range. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

/**
 * A deep copy that holds nothing but JSON. JSONata's arrays carry hidden properties, and members that are undefined vanish.
 *
 * @throws {NotJson} naming the kind of value met
 */
export function toJson(value: unknown): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new NotJson(`the number ${value}`);
      return value;
    case 'object':
      break;
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
      throw new NotJson(typeof value);
  }
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item: unknown) => (item === undefined ? null : toJson(item)));
  if (value instanceof Date) return value.toISOString();
  if (value instanceof RegExp || value instanceof Promise) throw new NotJson('function');
  // JSONata keeps lambdas and built-in functions as objects with these marks.
  if ('_jsonata_lambda' in value || '_jsonata_function' in value) throw new NotJson('function');
  const copy: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    if (key === '__proto__') Object.defineProperty(copy, key, { value: toJson(member), enumerable: true });
    else copy[key] = toJson(member);
  }
  return copy;
}
