import { isList } from '../text/parse-json.ts';
import type { JsonValue } from './json-documents.ts';

/** Indexes of a list: one, or all from one on. Negative ones count from the end. */
type Place = { readonly index: number } | { readonly from: number };
type Step =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'places'; readonly places: readonly Place[] }
  | { readonly kind: 'all' };

/** A path of the subset of JSONPath that SageMaker's data processing takes: `$`, `$.features`, `$['id','x']`, `$[0,2:]`. */
export interface JsonPath {
  readonly text: string;
  readonly steps: readonly Step[];
}

const ALL = /\.\*|\[\*\]/y;
const NAME = /\.([A-Za-z_]\w*)/y;
const NAMES = /\[ *('[^'\\]+'(?: *, *'[^'\\]+')*) *\]/y;
const PLACES = /\[ *((?:-?\d{1,9}:?)(?: *, *-?\d{1,9}:?)*) *\]/y;
const CLOSED_SLICE = /\[[^\]']*:-?\d/y;

/**
 * Parses a path, or returns why it is invalid.
 *
 * Slices with an end are refused: in SageMaker's guide the end is inclusive, in the JSONPath that it refers to it is exclusive.
 */
export function parseJsonPath(text: string): JsonPath | { readonly reason: string } {
  if (!text.startsWith('$')) return { reason: 'must start with $, which stands for the record' };
  const steps: Step[] = [];
  let at = 1;
  while (at < text.length) {
    const found = takeStep(text, at);
    if (found === undefined) {
      CLOSED_SLICE.lastIndex = at;
      if (CLOSED_SLICE.test(text))
        return { reason: `must have no slice with an end: list the places, as in $[1,2,3], or write $[1:]` };
      return {
        reason: `must go on with .name, ['name'], ['a','b'], [0], [0,2:] or .* at ${JSON.stringify(text.slice(at))}`,
      };
    }
    steps.push(found.step);
    at = found.end;
  }
  return { text, steps };
}

function takeStep(text: string, at: number): { step: Step; end: number } | undefined {
  for (const pattern of [ALL, NAME, NAMES, PLACES]) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return { step: toStep(pattern, match[1] ?? ''), end: pattern.lastIndex };
  }
  return undefined;
}

function toStep(pattern: RegExp, inner: string): Step {
  if (pattern === ALL) return { kind: 'all' };
  if (pattern === NAME) return { kind: 'names', names: [inner] };
  if (pattern === NAMES)
    return { kind: 'names', names: [...inner.matchAll(/'([^']+)'/g)].map(([, name = '']) => name) };
  const places = inner.split(',').map((part): Place => {
    const place = part.trim();
    return place.endsWith(':') ? { from: Number(place.slice(0, -1)) } : { index: Number(place) };
  });
  return { kind: 'places', places };
}

/** Whether a path selects one value, and not a list or an object of several. */
export function isSingle({ steps }: JsonPath): boolean {
  return steps.every((step) => {
    if (step.kind === 'names') return step.names.length === 1;
    const [place] = step.kind === 'places' ? step.places : [];
    return step.kind === 'places' && step.places.length === 1 && place !== undefined && 'index' in place;
  });
}

/**
 * The value that a path selects: one name or index gives the value itself, several names an object of them, several indexes a
 * list. Undefined if any of them is missing.
 */
export function followPath({ steps }: JsonPath, value: JsonValue): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const step of steps) {
    if (current === undefined || current === null || typeof current !== 'object') return undefined;
    if (step.kind === 'all') current = Object.values(current);
    else if (step.kind === 'names') current = isList(current) ? undefined : takeNames(current, step.names);
    else current = isList(current) ? takePlaces(current, step.places) : undefined;
  }
  return current;
}

function takeNames(
  fields: { readonly [name: string]: JsonValue },
  names: readonly string[],
): JsonValue | undefined {
  const taken: [string, JsonValue][] = [];
  for (const name of names) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) return undefined;
    if (names.length === 1) return field;
    taken.push([name, field]);
  }
  return Object.fromEntries(taken);
}

function takePlaces(list: readonly JsonValue[], places: readonly Place[]): JsonValue | undefined {
  const taken: JsonValue[] = [];
  for (const place of places) {
    const [first, end] =
      'index' in place
        ? [fromStart(place.index, list), fromStart(place.index, list) + 1]
        : [fromStart(place.from, list), list.length];
    if (first < 0 || first >= list.length) return undefined;
    for (let index = first; index < end; index++) taken.push(list[index] ?? null);
  }
  const [only] = places;
  return places.length === 1 && only !== undefined && 'index' in only ? taken[0] : taken;
}

function fromStart(place: number, { length }: readonly JsonValue[]): number {
  return place < 0 ? length + place : place;
}
