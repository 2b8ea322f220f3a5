import { toDecimal } from './decimal.ts';
import { isJsonArray, isJsonObject, JsonNumber, type JsonValue } from './json-document.ts';

/** Escapes as RapidJSON does: control characters as `\u00XX` in capitals, other characters as they are. */
export function toJsonString(text: string): string {
  return JSON.stringify(text).replace(/\\u([0-9a-f]{4})/g, (_all, hex: string) => `\\u${hex.toUpperCase()}`);
}

/** RapidJSON's pretty form with four spaces; used where an error message quotes a value. */
export function toPrettyJson(value: JsonValue, indent = ''): string {
  const inner = `${indent}    `;
  if (isJsonArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => inner + toPrettyJson(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value);
    if (members.length === 0) return '{}';
    return `{\n${members.map(([name, item]) => `${inner}${toJsonString(name)}: ${toPrettyJson(item, inner)}`).join(',\n')}\n${indent}}`;
  }
  if (value instanceof JsonNumber) return value.isInteger ? value.text : toDecimal(value.value, 'float64');
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : toDecimal(value, 'float64');
  return typeof value === 'string' ? toJsonString(value) : String(value);
}

/** RapidJSON's name of a value's type. */
export function toJsonTypeName(value: JsonValue): string {
  if (value === null) return 'Null';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return 'String';
  if (typeof value === 'number' || value instanceof JsonNumber) return 'Number';
  return isJsonArray(value) ? 'Array' : 'Object';
}
