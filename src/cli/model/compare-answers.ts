import {
  isJsonArray,
  isJsonObject,
  JsonNumber,
  type JsonValue,
  parseJsonDocument,
} from '@inferdrop/model-container/internal/json-document';
import { ClassList } from '../../label/class-list.ts';
import { resolvePrediction } from '../../label/resolve-prediction.ts';
import { readOutput } from '../../prediction/read-output.ts';

/** A container's answer to a file. */
export interface Answered {
  readonly status: number;
  readonly body: Uint8Array;
}

/** A value that differs, and its place: `[0][3]`, or empty for a whole answer. */
export interface Change {
  readonly place: string;
  readonly here: string;
  readonly tensorflow: string;
}

/** An output of two answers to a file, or the class that a pipeline reads from them. */
export interface ComparedOutput {
  readonly isEqual: boolean;
  /** A class, an integer, a text or a shape that differs, or the number that is furthest off; null if only last digits differ. */
  readonly changed: Change | null;
  /** The largest difference of two numbers. */
  readonly largest: { readonly absolute: number; readonly place: string } | null;
}

/** Limits of last digits: a share of the number itself, and of the largest one of its output. */
const OF_ITSELF = 1e-3;
const OF_LARGEST = 1e-4;
const NOTHING = 'nothing';

/** Compares two answers to the same file, by the names of their outputs; there are none if both refuse it. */
export function compareAnswers(here: Answered, tensorflow: Answered): ReadonlyMap<string, ComparedOutput> {
  const outputs = new Map<string, Tally>();
  const tally = (name: string): Tally => {
    const found = outputs.get(name) ?? new Tally();
    outputs.set(name, found);
    return found;
  };
  const walk = (mine: JsonValue | undefined, theirs: JsonValue | undefined, name: string, place: string) => {
    if (isJsonArray(mine) && isJsonArray(theirs) && mine.length === theirs.length)
      for (const [at, one] of mine.entries()) walk(one, theirs[at], name, `${place}[${at}]`);
    else if (isJsonObject(mine) && isJsonObject(theirs))
      // The last name is the output's, and the first index its row.
      for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine)]))
        walk(mine[key], theirs[key], key, /^\[\d+\]/.exec(place)?.[0] ?? '');
    else tally(name).compare(place, mine, theirs);
  };
  if (here.status !== tensorflow.status)
    tally('status').change('', String(here.status), String(tensorflow.status));
  else if (here.status < 400) {
    const truth = parse(tensorflow.body);
    walk(parse(here.body), truth, 'answer', '');
    const [mine, theirs] = [classesOf(here.body, truth), classesOf(tensorflow.body, truth)];
    if (!outputs.has('class') && mine !== undefined && theirs !== undefined) walk(mine, theirs, 'class', '');
  }
  return new Map(Array.from(outputs, ([name, found]) => [name, found.result()]));
}

/** The differences of one output. */
class Tally {
  #changed: Change | null = null;
  #largest: ComparedOutput['largest'] = null;
  #isEqual = true;
  #magnitude = 0;
  #furthest: { readonly absolute: number; readonly change: Change } | undefined;

  compare(place: string, mine: JsonValue | undefined, theirs: JsonValue | undefined): void {
    if (!(mine instanceof JsonNumber && theirs instanceof JsonNumber)) {
      if (mine !== theirs) this.change(place, show(mine), show(theirs));
      return;
    }
    const absolute = Math.abs(mine.value - theirs.value);
    if (Number.isFinite(theirs.value)) this.#magnitude = Math.max(this.#magnitude, Math.abs(theirs.value));
    const isWhole = mine.isInteger && theirs.isInteger;
    if (isWhole ? mine.text === theirs.text : Object.is(mine.value, theirs.value) || absolute === 0) return;
    if (isWhole || !Number.isFinite(absolute)) return this.change(place, mine.text, theirs.text);
    this.#isEqual = false;
    if (absolute > (this.#largest?.absolute ?? 0)) this.#largest = { absolute, place };
    if (absolute > OF_ITSELF * Math.abs(theirs.value) && absolute > (this.#furthest?.absolute ?? 0))
      this.#furthest = { absolute, change: { place, here: mine.text, tensorflow: theirs.text } };
  }

  change(place: string, here: string, tensorflow: string): void {
    this.#isEqual = false;
    this.#changed ??= { place, here, tensorflow };
  }

  result(): ComparedOutput {
    const counts = (this.#furthest?.absolute ?? 0) > OF_LARGEST * this.#magnitude;
    const changed = this.#changed ?? (counts ? (this.#furthest?.change ?? null) : null);
    return { isEqual: this.#isEqual, changed, largest: this.#largest };
  }
}

function show(value: JsonValue | undefined): string {
  if (value === undefined) return NOTHING;
  if (isJsonArray(value)) return `a list of ${value.length}`;
  return value instanceof JsonNumber ? value.text : JSON.stringify(value);
}

/** The document; another answer as the cells of its lines. */
function parse(body: Uint8Array): JsonValue {
  const text = Buffer.from(body).toString();
  try {
    return parseJsonDocument(text);
  } catch {
    const lines = text.split(/\r?\n/).filter((line) => line !== '');
    return lines.map((line) =>
      line.split(',').map((cell) => (/^-?(\d|nan|inf)/i.test(cell) ? new JsonNumber(cell) : cell)),
    );
  }
}

const NO_CLASSES = new Set(['OutputError', 'ClassCountMismatch', 'TooManyLabels']);

/** The classes that a pipeline reads from an answer, as many as its longest list has numbers; undefined if it isn't a classification. */
function classesOf(body: Uint8Array, document: JsonValue): readonly JsonValue[] | undefined {
  const scoreCount = longestList(document);
  const classes = new ClassList(Array.from({ length: scoreCount }, (_, at) => String(at)));
  const reading = { classOffset: 0, scores: 'as-answered', threshold: null } as const;
  try {
    return readOutput(body, { scoreCount, oneRecord: false, single: 'either' }).map((prediction) => {
      const { predicted } = resolvePrediction(prediction, classes, reading);
      const name = classes.names[predicted] ?? String(predicted);
      return /^\d+$/.test(name) ? new JsonNumber(name) : name;
    });
  } catch (error) {
    if (error instanceof Error && NO_CLASSES.has(error.name)) return undefined;
    throw error;
  }
}

/** Length of the longest list of numbers, and at least two, as many as a single score decides between. */
function longestList(value: JsonValue): number {
  if (!isJsonArray(value))
    return isJsonObject(value) ? Math.max(2, ...Object.values(value).map(longestList)) : 2;
  if (value.every((one) => one instanceof JsonNumber)) return Math.max(2, value.length);
  return value.reduce<number>((most, one) => Math.max(most, longestList(one)), 2);
}
