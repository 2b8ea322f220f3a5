import { NUMBERS } from '../label/label-check.ts';
import { readingBy } from '../label/reading.ts';
import { truthByFolder, truthByPattern } from '../label/truth-in-key.ts';
import { compareByteOrder } from '../text/byte-order.ts';

/** A place in the names of files that tells their truth, in the form of `labels.truth`. */
export interface TruthOfNames {
  readonly truth: { readonly from: 'folder' } | { readonly from: 'key'; readonly pattern: string };
  /** Label of each name, in their order; undefined for a name without a label. */
  readonly labels: readonly (string | undefined)[];
  readonly reason: string;
}

/** Classes of a model, as far as they're known: their names, or only their number. */
export interface KnownClasses {
  /** Undefined if the model doesn't say it. */
  readonly count: number | undefined;
  readonly names?: readonly string[] | undefined;
}

/** Places of a class in a name, as pattern and in words. */
const PLACES: readonly (readonly [pattern: string, place: string])[] = [
  ['([a-zA-Z][a-zA-Z-]*)\\.[a-zA-Z0-9]+$', 'the letters before the extension are a class'],
  ['/([a-zA-Z][a-zA-Z-]*?)[-_. ]?[0-9][^/]*$', 'the letters that begin the name are a class'],
  ['/([^/_]+)_[^/]*$', 'the name up to its first _ is a class'],
  ['_([^/_.]+)\\.[a-zA-Z0-9]+$', 'the name from its last _ is a class'],
  ['-([^/.-]+)\\.[a-zA-Z0-9]+$', 'the name from its last - is a class'],
];

/** Share of the names that must have a label. */
const FITTING = 0.95;

/**
 * Finds where names of inputs hold a class: the folder of each file, or a place in its name. A proposal fits 95 % of the names and
 * tells at least two classes; classes from only a place in the name must be the model's, and all of them if only their number is
 * known.
 *
 * @param names paths below the folder that is dropped, with `/`
 * @returns proposals that read different labels: several are a question
 */
export function truthsOfNames(names: readonly string[], known: KnownClasses): readonly TruthOfNames[] {
  const read = (truth: TruthOfNames['truth'], reason: string): TruthOfNames => {
    const labelOf = truth.from === 'folder' ? truthByFolder('/') : truthByPattern(truth.pattern);
    // A key has folders before the drop's own, so that each name begins after a slash.
    const labels = names.map((name) => labelOf(`/${name}`));
    return {
      truth,
      reason,
      labels: known.names === undefined ? labels : labels.map(labelTest(known.names)),
    };
  };
  const isPlausible = ({ truth, labels }: TruthOfNames): boolean => {
    const classes = classesOf(labels).length;
    const mustBeAll = truth.from === 'key' && known.names === undefined;
    return (
      labels.filter(isLabel).length >= names.length * FITTING &&
      classes >= 2 &&
      (!mustBeAll || classes === known.count)
    );
  };
  const found = [
    read({ from: 'folder' }, 'the folder of each file is its class'),
    ...PLACES.map(([pattern, reason]) => read({ from: 'key', pattern }, reason)),
  ].filter(isPlausible);
  return found.filter((one, at) => found.findIndex(({ labels }) => hasSame(labels, one.labels)) === at);
}

/** The classes among labels, sorted by their characters, as Keras and torchvision sort folders. */
export function classesOf(labels: readonly (string | undefined)[]): string[] {
  return [...new Set(labels.filter(isLabel))].sort(compareByteOrder);
}

function isLabel(label: string | undefined): label is string {
  return label !== undefined;
}

/** Whether a label is a class in one reading of numbers or another. */
function labelTest(names: readonly string[]): (label: string | undefined) => string | undefined {
  const readings = NUMBERS.map((numbers) => readingBy(names, numbers));
  return (label) =>
    label !== undefined && readings.some(({ resolve }) => resolve(label) !== undefined) ? label : undefined;
}

function hasSame(some: readonly (string | undefined)[], others: readonly (string | undefined)[]): boolean {
  return some.every((label, at) => label === others[at]);
}
