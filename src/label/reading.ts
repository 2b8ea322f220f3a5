import { editDistance } from '../text/edit-distance.ts';
import type { Numbers } from './label-check.ts';

/** Class names, and what pipeline.json says of numbers. */
export interface AskedReading {
  readonly classes: readonly string[];
  /** `labels.numbers`; null lets the labels decide. */
  readonly numbers: Numbers | null;
}

/** How the labels of a drop are read, decided once from all of them. */
export interface DecidedReading {
  readonly kind: 'decided';
  readonly numbers: Numbers;
  /** Index of the class that a label is; undefined if it's no class. */
  resolve(cell: string): number | undefined;
}

/** Labels that fit no reading, or more than one with different classes. */
export interface RefusedReading {
  readonly kind: 'refused';
  /** A sentence that begins after "labels": what they are. */
  readonly refusal: string;
  /** Values of `labels.numbers` that settle it, each with the classes of a few labels. */
  readonly offers: readonly { readonly numbers: Numbers; readonly means: string }[];
}

/** Result of the rule. */
export type Reading = DecidedReading | RefusedReading;

/** Labels that a sentence names. */
const SHOWN = 3;

/** A text as names are compared: composed (NFC), without blanks around it. */
export function normal(text: string): string {
  return text.normalize('NFC').trim();
}

/** A whole number however a program writes it: `3`, `3.0`, `03`, `3e0`, `3.000000000000000000e+00`; undefined for other texts. */
export function wholeNumber(text: string): number | undefined {
  if (!/^[+-]?\d{1,30}(?:\.\d{0,30})?(?:[eE][+-]?\d{1,3})?$/.test(text)) return undefined;
  // Spreadsheets of half of Europe write one thousand so.
  if (/^[+-]?\d{1,3}\.\d{3}$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isInteger(number) && Math.abs(number) < 1e9 ? number : undefined;
}

/** A reading that was decided before, such as a plan's. */
export function readingBy(classes: readonly string[], numbers: Numbers): DecidedReading {
  const known = knownClasses(classes);
  const resolve =
    numbers === 'names'
      ? known.named
      : (text: string): number | undefined =>
          wholeNumber(text) === undefined ? known.named(text) : known.placed(text, numbers);
  return {
    kind: 'decided',
    numbers,
    resolve: (cell) => resolve(normal(cell)),
  };
}

/** The cell that a reading takes for the class of this name. */
export function cellOf(name: string, classes: readonly string[], numbers: Numbers): string {
  const at = classes.indexOf(name);
  return at < 0 || numbers === 'names' ? name : String(numbers === 'index' ? at : at + 1);
}

/**
 * Decides how the labels of a drop are read: as names, as places in `labels.classes`, or not at all, since both would fit with different
 * classes. A number never means one thing in one row and another in the next.
 *
 * @param labels the different labels of the whole drop, with their counts
 */
export function readLabels(labels: ReadonlyMap<string, number>, asked: AskedReading): Reading {
  const { classes, numbers } = asked;
  if (numbers !== null) return readingBy(classes, numbers);
  const texts = [...new Set(Array.from(labels.keys(), normal))].filter((text) => text !== '');
  const measured = measurements(texts, knownClasses(classes));
  if (measured !== undefined) return measured;
  const numeric = texts.filter((text) => wholeNumber(text) !== undefined);
  if (numeric.length === 0) return readingBy(classes, 'names');
  const known = knownClasses(classes);
  return known.areNumbers ? ofNumericClasses(numeric, asked, known) : ofNames(texts, numeric, asked, known);
}

/** Whether numbers in labels could have two meanings: not if each class is named by its own place. */
export function hasOpenNumbers(classes: readonly string[]): boolean {
  return classes.some((name, place) => wholeNumber(normal(name)) !== place);
}

/** The nearest class to a label that's none: it differs in case, in blanks, or in one letter. Undefined if there's none so near. */
export function nearestClass(cell: string, classes: readonly string[]): string | undefined {
  const plain = (name: string): string =>
    normal(name)
      .toLowerCase()
      .replace(/[\s_-]+/g, '');
  const text = plain(cell);
  const isNear = (name: string): boolean =>
    Math.abs(name.length - text.length) <= 1 && editDistance(name, text) <= 1;
  return (
    classes.find((name) => plain(name) === text) ??
    (text.length > SHOWN && text.length <= 200 && wholeNumber(text) === undefined
      ? classes.find((name) => isNear(plain(name)))
      : undefined)
  );
}

interface KnownClasses {
  /** Whether every class is named by a whole number of its own. */
  readonly areNumbers: boolean;
  isName(text: string): boolean;
  /** Index of the class of this name; if all names are numbers, of this value. */
  named(text: string): number | undefined;
  /** Index of the class at this place. */
  placed(text: string, numbers: 'index' | 'index-from-1'): number | undefined;
}

function knownClasses(classes: readonly string[]): KnownClasses {
  const names = new Map(classes.map((name, at) => [normal(name), at] as const).reverse());
  const values = new Map(classes.map((name, at) => [wholeNumber(normal(name)), at] as const));
  const areNumbers = !values.has(undefined) && values.size === classes.length;
  return {
    areNumbers,
    isName: (text) => names.has(text),
    named: (text) => {
      const byName = names.get(text);
      if (byName !== undefined || !areNumbers) return byName;
      const value = wholeNumber(text);
      return value === undefined ? undefined : values.get(value);
    },
    placed: (text, numbers) => {
      const place = (wholeNumber(text) ?? -1) - (numbers === 'index' ? 0 : 1);
      return place >= 0 && place < classes.length ? place : undefined;
    },
  };
}

/** Numbers with fractions, which no class is named by. */
function measurements(texts: readonly string[], { named }: KnownClasses): RefusedReading | undefined {
  const isFraction = (text: string): boolean =>
    /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) &&
    !Number.isInteger(Number(text)) &&
    named(text) === undefined;
  const found = texts.filter(isFraction);
  const [first] = found;
  if (first === undefined || 2 * found.length < texts.length) return undefined;
  return refused(
    `are ${found.length} different numbers such as ${first}, which are no classes: regression isn't judged, so set ` +
      'labels.truth to null to predict only',
  );
}

function ofNumericClasses(numeric: readonly string[], asked: AskedReading, known: KnownClasses): Reading {
  const { named, placed, isName } = known;
  const place = numeric.find(
    (text) =>
      named(text) === undefined && (placed(text, 'index') ?? placed(text, 'index-from-1')) !== undefined,
  );
  if (place !== undefined) {
    const places = placed(place, 'index') === undefined ? 'index-from-1' : 'index';
    return refused(
      `have ${shown([place])}, which is no name of labels.classes but a place in it`,
      offersOf(['names', places], numeric, asked),
    );
  }
  // A number that's a name and beyond the last place settles it; so does a place that means the same class.
  const asNames = numeric.filter((text) => named(text) !== undefined);
  if (fitBoth(asNames, 'index', known)) return twice(asNames, asked, known);
  // "10" is written alike with and without zeros before it, and says nothing.
  const exact = numeric.find((text) => isName(text) && String(wholeNumber(text)) !== text);
  const loose = numeric.find((text) => !isName(text) && isOther(text, 'index', known));
  if (exact !== undefined && loose !== undefined)
    return refused(
      `are written in two ways, some as labels.classes has them (${shown([exact])}) and others as numbers ` +
        `(${shown([loose])}): write all alike`,
      offersOf(['names', 'index'], [loose], asked),
    );
  return readingBy(asked.classes, 'names');
}

function ofNames(
  texts: readonly string[],
  numeric: readonly string[],
  asked: AskedReading,
  known: KnownClasses,
): Reading {
  const { classes } = asked;
  const { isName, placed } = known;
  const unnamed = numeric.filter((text) => !isName(text));
  const name = texts.find((text) => isName(text) && wholeNumber(text) === undefined);
  const places = (['index', 'index-from-1'] as const).filter((kind) =>
    unnamed.every((text) => placed(text, kind) !== undefined),
  );
  if (unnamed.length === 0) {
    const isOpen = fitBoth(numeric, 'index', known) || fitBoth(numeric, 'index-from-1', known);
    return name === undefined && isOpen ? twice(numeric, asked, known) : readingBy(classes, 'names');
  }
  if (name !== undefined || unnamed.length < numeric.length) {
    const named = name ?? numeric.find((text) => isName(text)) ?? '';
    return refused(
      `are mixed, some are names of labels.classes (${shown([named])}) and others numbers (${shown(unnamed)}): write all as names`,
      offersOf(places, unnamed, asked),
    );
  }
  const values = unnamed.map((text) => wholeNumber(text) ?? -1);
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const hasZero = values.includes(0);
  if (hasZero && most < classes.length) return readingBy(classes, 'index');
  const isInRange = values.some((value) => value > 0 && value <= classes.length);
  if (!isInRange && !hasZero)
    return refused(
      `are numbers such as ${shown(unnamed)}, which are neither names of labels.classes nor places among its ` +
        `${classes.length}: write names`,
    );
  if (most >= classes.length)
    return refused(
      hasZero || most > classes.length
        ? `are numbers from ${least} to ${most}, and labels.classes lists ${classes.length}: correct them, or list all classes`
        : `are numbers up to ${most}, as many as labels.classes lists, without 0`,
      offersOf(hasZero ? ['index', 'index-from-1'] : ['index-from-1'], unnamed, asked),
    );
  return refused(
    `are numbers without 0 (${shown(unnamed)}), which could count from 0 or from 1`,
    offersOf(['index', 'index-from-1'], unnamed, asked),
  );
}

/** Whether a label is at a place, and isn't the class there. */
function isOther(text: string, kind: 'index' | 'index-from-1', { named, placed }: KnownClasses): boolean {
  const place = placed(text, kind);
  return place !== undefined && named(text) !== undefined && place !== named(text);
}

/** Whether labels that are all names could also all be places, with at least one of them another class. */
function fitBoth(found: readonly string[], kind: 'index' | 'index-from-1', known: KnownClasses): boolean {
  return (
    found.every((text) => known.placed(text, kind) !== undefined) &&
    found.some((text) => isOther(text, kind, known))
  );
}

function twice(found: readonly string[], asked: AskedReading, known: KnownClasses): RefusedReading {
  const places = (['index', 'index-from-1'] as const).filter((kind) => fitBoth(found, kind, known));
  return refused(
    `are numbers (${shown(found)}) that fit both the names of labels.classes and places in it, with different classes`,
    offersOf(['names', ...places], found, asked),
  );
}

function refused(refusal: string, offers: RefusedReading['offers'] = []): RefusedReading {
  return { kind: 'refused', refusal, offers };
}

function offersOf(
  kinds: readonly Numbers[],
  labels: readonly string[],
  { classes }: AskedReading,
): RefusedReading['offers'] {
  return kinds.map((numbers) => {
    const { resolve } = readingBy(classes, numbers);
    const classOf = (text: string): string => {
      const at = resolve(text);
      return at === undefined ? 'no class' : `"${classes[at]}"`;
    };
    return {
      numbers,
      means: labels
        .slice(0, SHOWN)
        .map((text) => `${text} is ${classOf(text)}`)
        .join(', '),
    };
  });
}

function shown(labels: readonly string[]): string {
  const first = labels
    .slice(0, SHOWN)
    .map((text) => JSON.stringify(text))
    .join(', ');
  return labels.length > SHOWN ? `${first}, …` : first;
}
