import { isRecord } from '../kernel/json.ts';
import type { Finding } from './finding.ts';
import { type ServiceModel, type Shape, shapeOf } from './model.ts';
import { compilePattern } from './pattern.ts';

/**
 * Holds a value against a shape of its service's model. Timestamps are epoch seconds; a blob is base64 or bytes.
 *
 * @param shape undefined if the call takes or gives nothing
 * @param elsewhere a member of the value that is checked on its own, because it travels apart: the body of a REST request
 */
export function checkValue(
  model: ServiceModel,
  shape: string | undefined,
  value: unknown,
  elsewhere?: string,
): readonly Finding[] {
  const check: Check = { model, path: [], findings: [], elsewhere };
  if (shape === undefined) visitStructure(check, { type: 'structure' }, value);
  else visit(check, shape, value);
  return check.findings;
}

interface Check {
  readonly model: ServiceModel;
  readonly path: (string | number)[];
  readonly findings: Finding[];
  readonly elsewhere: string | undefined;
}

function visit(check: Check, name: string, value: unknown): void {
  const shape = shapeOf(check.model, name);
  switch (shape.type) {
    case 'structure':
      return visitStructure(check, shape, value);
    case 'list':
      if (!Array.isArray(value)) return refuseType(check, value, 'a list');
      checkLength(check, shape, value, value.length);
      return value.forEach((item: unknown, index) => within(check, index, shape.member?.shape, item));
    case 'map':
      return visitMap(check, shape, value);
    case 'string':
      return visitString(check, shape, value);
    case 'blob':
      if (typeof value !== 'string' && !Buffer.isBuffer(value)) return refuseType(check, value, 'a Blob');
      return checkLength(
        check,
        shape,
        value,
        typeof value === 'string' ? Buffer.byteLength(value, 'base64') : value.length,
      );
    case 'boolean':
      return typeof value === 'boolean' ? undefined : refuseType(check, value, 'a Boolean');
    case 'integer':
    case 'long':
      if (!Number.isInteger(value))
        return refuseType(check, value, shape.type === 'long' ? 'a Long' : 'an Integer');
      return checkRange(check, shape, value);
    case 'float':
    case 'double':
      if (typeof value !== 'number' && !NOT_FINITE.includes(String(value)))
        return refuseType(check, value, 'a Double');
      return checkRange(check, shape, value);
    case 'timestamp':
      return Number.isFinite(value) ? undefined : refuseType(check, value, 'a Timestamp');
  }
}

/** JSON has no numbers for these. */
const NOT_FINITE = ['NaN', 'Infinity', '-Infinity'];

function visitStructure(check: Check, shape: Shape, value: unknown): void {
  if (shape.document === true) return;
  if (!isRecord(value)) return refuseType(check, value, 'a structure');
  const members = shape.members ?? {};
  const given = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  for (const name of shape.required ?? []) {
    if (check.path.length === 0 && name === check.elsewhere) continue;
    if (!given.some(([member]) => member === name))
      find(check, 'missing', undefined, 'Member must not be null', name);
  }
  for (const [name, member] of given) {
    const reference = Object.hasOwn(members, name) ? members[name] : undefined;
    if (reference) within(check, name, reference.shape, member);
    else find(check, 'unknown', member, Object.keys(members).join(', '), name);
  }
  if (shape.union === true && given.length !== 1)
    find(check, 'constraint', value, `Member must have exactly one of ${Object.keys(members).join(', ')}`);
}

function visitMap(check: Check, shape: Shape, value: unknown): void {
  if (!isRecord(value)) return refuseType(check, value, 'a map');
  const entries = Object.entries(value);
  checkLength(check, shape, value, entries.length);
  for (const [key, item] of entries) {
    within(check, key, shape.key?.shape, key);
    within(check, key, shape.value?.shape, item);
  }
}

function visitString(check: Check, shape: Shape, value: unknown): void {
  if (typeof value !== 'string') return refuseType(check, value, 'a String');
  checkLength(check, shape, value, value.length);
  if (shape.pattern !== undefined && !compilePattern(shape.pattern)(value))
    find(check, 'constraint', value, `Member must satisfy regular expression pattern: ${shape.pattern}`);
  if (shape.enum !== undefined && !shape.enum.includes(value))
    find(check, 'constraint', value, `Member must satisfy enum value set: [${shape.enum.join(', ')}]`);
}

function within(check: Check, step: string | number, shape: string | undefined, value: unknown): void {
  if (shape === undefined) return;
  check.path.push(step);
  visit(check, shape, value);
  check.path.pop();
}

function checkLength(check: Check, { min, max }: Shape, value: unknown, length: number): void {
  if (max !== undefined && length > max)
    find(check, 'constraint', value, `Member must have length less than or equal to ${max}`);
  if (min !== undefined && length < min)
    find(check, 'constraint', value, `Member must have length greater than or equal to ${min}`);
}

function checkRange(check: Check, { min, max }: Shape, value: unknown): void {
  if (max !== undefined && Number(value) > max)
    find(check, 'constraint', value, `Member must have value less than or equal to ${max}`);
  if (min !== undefined && Number(value) < min)
    find(check, 'constraint', value, `Member must have value greater than or equal to ${min}`);
}

/** Refuses a type in the words of AWS's own parsers. */
function refuseType(check: Check, value: unknown, wanted: string): void {
  const text = Array.isArray(value)
    ? 'Start of list found where not expected'
    : typeof value === 'object'
      ? 'Start of structure or map found where not expected'
      : `${typeof value === 'boolean' ? String(value).toUpperCase() : (typeof value).toUpperCase()}_VALUE can not be ` +
        `converted to ${wanted}`;
  find(check, 'type', value, text);
}

function find(check: Check, kind: Finding['kind'], value: unknown, text: string, member?: string): void {
  const path = member === undefined ? [...check.path] : [...check.path, member];
  check.findings.push({ kind, path, value, text });
}
