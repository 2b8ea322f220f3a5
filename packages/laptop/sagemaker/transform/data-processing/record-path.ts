import { isJsonArray, isJsonObject, type JsonValue } from '@inferdrop/model-container/internal/json-document';

/** One step of a path: names, array places (indexes and slices, in any mixture), or everything. */
type Step =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'places'; readonly places: readonly Place[] }
  | { readonly kind: 'all' };
type Place =
  { readonly index: number } | { readonly start: number | undefined; readonly end: number | undefined };

/** A path of SageMaker's subset of JSONPath, such as `$`, `$.features`, `$['id','SageMakerOutput']`, `$[0,2:5]`. */
export interface JsonPath {
  readonly text: string;
  readonly steps: readonly Step[];
}

/** The path is not of the subset, or leads nowhere in a record. */
class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

const NAME = /\.([A-Za-z_][\w-]*)/y;
const STAR = /\.\*|\[\*\]/y;
const QUOTED = /\[\s*'((?:[^'\\]|\\.)*)'((?:\s*,\s*'(?:[^'\\]|\\.)*')*)\s*\]/y;
const PLACES =
  /\[\s*((?:-?\d+\s*(?::\s*(?:-?\d+\s*)?)?|:\s*(?:-?\d+\s*)?)(?:,\s*(?:-?\d+\s*(?::\s*(?:-?\d+\s*)?)?|:\s*(?:-?\d+\s*)?))*)\]/y;

/** @throws {JsonPathError} if the text is not of the subset that SageMaker takes */
export function parseJsonPath(text: string): JsonPath {
  if (!text.startsWith('$')) throw new JsonPathError(`${text}: a path must start with $`);
  const steps: Step[] = [];
  let at = 1;
  while (at < text.length) {
    const match = [STAR, NAME, QUOTED, PLACES]
      .map((pattern) => matchAt(pattern, text, at))
      .find((found) => found !== undefined);
    if (!match) throw new JsonPathError(`${text}: ${text.slice(at)} must be .name, .*, ['a','b'] or [n,m:k]`);
    steps.push(toStep(match.pattern, match.groups));
    at += match.length;
  }
  return { text, steps };
}

function matchAt(
  pattern: RegExp,
  text: string,
  at: number,
): { pattern: RegExp; groups: readonly string[]; length: number } | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match ? { pattern, groups: match.slice(1), length: match[0].length } : undefined;
}

function toStep(pattern: RegExp, [first = '', more = '']: readonly string[]): Step {
  if (pattern === STAR) return { kind: 'all' };
  if (pattern === NAME) return { kind: 'names', names: [first] };
  if (pattern === PLACES) return { kind: 'places', places: first.split(',').map(toPlace) };
  const others = [...more.matchAll(/[\s,]*'((?:[^'\\]|\\.)*)'/gy)].map(([, name = '']) => name);
  return { kind: 'names', names: [first, ...others].map((name) => name.replace(/\\(.)/g, '$1')) };
}

function toPlace(text: string): Place {
  const [start = '', end] = text.split(':').map((part) => part.trim());
  const bound = (part: string): number | undefined => (part === '' ? undefined : Number(part));
  return end === undefined ? { index: Number(start) } : { start: bound(start), end: bound(end) };
}

/**
 * Follows a path. Several names give an object of them, several places an array; one name or place gives the value itself.
 * The end of a slice belongs to it, as SageMaker's guide has it.
 *
 * @throws {JsonPathError} if the record has no such member or place
 */
export function applyJsonPath({ text, steps }: JsonPath, value: JsonValue): JsonValue {
  let current = value;
  for (const step of steps) {
    if (step.kind === 'names') current = takeNames(text, step.names, current);
    else if (step.kind === 'places') current = takePlaces(text, step.places, current);
    else if (isJsonArray(current) || isJsonObject(current)) current = Object.values(current);
    else throw new JsonPathError(`${text}: the record has nothing below this`);
  }
  return current;
}

function takeNames(path: string, names: readonly string[], value: JsonValue): JsonValue {
  const members = names.map((name): [string, JsonValue] => {
    const member = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === undefined) throw new JsonPathError(`${path}: the record has no ${name}`);
    return [name, member];
  });
  const [only] = members;
  return members.length === 1 && only ? only[1] : Object.fromEntries(members);
}

function takePlaces(path: string, places: readonly Place[], value: JsonValue): JsonValue {
  if (!isJsonArray(value)) throw new JsonPathError(`${path}: the record is not an array there`);
  const at = (index: number): JsonValue => {
    const element = value.at(index);
    if (element === undefined)
      throw new JsonPathError(`${path}: index ${index} is outside of ${value.length} values`);
    return element;
  };
  const [only] = places;
  if (places.length === 1 && only && 'index' in only) return at(only.index);
  return places.flatMap((place) => ('index' in place ? [at(place.index)] : slice(path, value, place)));
}

function slice(
  path: string,
  values: readonly JsonValue[],
  { start = 0, end }: { start?: number | undefined; end?: number | undefined },
): readonly JsonValue[] {
  const first = start < 0 ? values.length + start : start;
  const last = end === undefined ? values.length - 1 : end < 0 ? values.length + end : end;
  if (first < 0 || first >= values.length || last >= values.length)
    throw new JsonPathError(`${path}: ${start}:${end ?? ''} is outside of ${values.length} values`);
  return values.slice(first, last + 1);
}
