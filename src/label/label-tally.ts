import type { Finding, LabelCheck, LabelReading } from './label-check.ts';
import {
  type AskedReading,
  nearestClass,
  normal,
  type Reading,
  readLabels,
  type RefusedReading,
  wholeNumber,
} from './reading.ts';

/** Different numbers above which labels are not read as the classes of a model that answers one number. */
const MOST_CLASSES = 20;

/** Cap on the examples kept of each finding; the rest is counted. */
const MAX_EXAMPLES = 10;
/** Cap on the labels outside `labels.classes`; scoring fails beyond it with `TooManyLabels`. */
const MAX_UNLISTED = 1_000;
/** Ways in which the labels of one class may be written; more different labels than these allow aren't kept. */
const MAX_WRITINGS = 4;
/** Examples of how labels are read. */
const SHOWN = 3;
/** Cap on the characters of a label in an example. */
const MAX_SHOWN_LENGTH = 120;

/** Texts of tables for a value that is missing. */
const MISSING = new Set(['nan', 'na', 'n/a', '#n/a', 'none', 'null', 'nat']);

type TalliedReading = Omit<LabelReading, 'from' | 'isSet'>;

/** The labels of a run as one rule reads them, and their defects. */
export interface TalliedLabels {
  readonly check: LabelCheck;
  /** Without words for where the labels are, and who says how they are read. */
  readonly reading: TalliedReading | RefusedReading;
  /** An example of a label outside `labels.classes`, if there are too many of them. */
  readonly tooMany: string | undefined;
  /** How many different numbers the labels are, if they are all numbers and too many for classes. */
  readonly differentNumbers?: number | undefined;
}

/** Counts labels and their defects one row at a time, and reads them once all are known; a bounded number is kept. */
export class LabelTally {
  readonly #asked: AskedReading;
  readonly #shown: (name: string) => string;
  /** Different labels with their counts and their first place. */
  readonly #labels = new Map<string, { count: number; where: string }>();
  readonly #findings = { noInput: nothing(), conflicting: nothing(), unlabeled: nothing() };
  #flood: string | undefined;
  #inputs = 0;
  #labeled = 0;
  #isWhole = true;

  /** @param shown how people see the name of an input */
  constructor(asked: AskedReading, shown: (name: string) => string = (name) => name) {
    this.#asked = asked;
    this.#shown = shown;
  }

  /** Counts an input, or record. */
  input(where: string, isLabeled: boolean): void {
    this.#inputs += 1;
    if (isLabeled) this.#labeled += 1;
    else add(this.#findings.unlabeled, () => this.#shown(where));
  }

  label(where: string, label: string): void {
    const known = this.also(label);
    if (known === undefined) return;
    if (known.count === 0) known.where = this.#shown(where);
    known.count += 1;
  }

  /** Takes a label of the drop that isn't one of the run's inputs: it counts for nothing, but shows how labels are written. */
  also(label: string): { count: number; where: string } | undefined {
    const known = this.#labels.get(label);
    if (known !== undefined) return known;
    if (this.#labels.size >= MAX_WRITINGS * this.#asked.classes.length + MAX_UNLISTED) {
      this.#flood ??= label;
      return undefined;
    }
    const first = { count: 0, where: '' };
    this.#labels.set(label, first);
    return first;
  }

  noInput(where: string): void {
    add(this.#findings.noInput, () => this.#shown(where));
  }

  conflict(where: string, first: string, second: string): void {
    add(
      this.#findings.conflicting,
      () => `${this.#shown(where)} (${JSON.stringify(first)}, then ${JSON.stringify(second)})`,
    );
  }

  /** Marks the check as partial: some inputs or records were not checked. */
  leaveRest(): void {
    this.#isWhole = false;
  }

  finish(): TalliedLabels {
    const counts = new Map(Array.from(this.#labels, ([label, { count }]) => [label, count]));
    const reading = readLabels(counts, this.#asked);
    const noClass = nothing();
    const unlisted = reading.kind === 'refused' ? [] : this.#findUnlisted(reading, noClass);
    const check: LabelCheck = {
      inputs: this.#inputs,
      isWhole: this.#isWhole,
      labeled: this.#labeled,
      noClass,
      ...this.#findings,
    };
    const tooMany = this.#flood ?? (unlisted.length > MAX_UNLISTED ? unlisted.at(-1) : undefined);
    const used = this.#labels.entries().flatMap(([label, { count }]) => (count > 0 ? [label] : []));
    const decided = reading.kind === 'refused' ? reading : this.#describe(reading);
    return { check, reading: decided, tooMany, differentNumbers: manyNumbers(used) };
  }

  #findUnlisted(reading: Exclude<Reading, RefusedReading>, noClass: Finding): string[] {
    const unlisted: string[] = [];
    for (const [label, { count, where }] of this.#labels) {
      if (count === 0 || reading.resolve(label) !== undefined) continue;
      unlisted.push(label);
      if (noClass.examples.length < MAX_EXAMPLES)
        noClass.examples.push(`${JSON.stringify(label)} of ${where}${this.#hintFor(label)}`);
      noClass.count += count;
    }
    return unlisted;
  }

  #hintFor(label: string): string {
    const near = nearestClass(label, this.#asked.classes);
    if (near !== undefined) return ` (did you mean ${JSON.stringify(near)}?)`;
    return MISSING.has(normal(label).toLowerCase()) ? ' (a missing value)' : '';
  }

  #describe({ numbers, resolve }: Exclude<Reading, RefusedReading>): TalliedReading {
    const { classes } = this.#asked;
    const counts = classes.map(() => 0);
    const examples = new Map<number, LabelReading['examples'][number]>();
    for (const [label, { count, where }] of this.#labels) {
      const at = count === 0 ? undefined : resolve(label);
      if (at === undefined) continue;
      counts[at] = (counts[at] ?? 0) + count;
      if (examples.size < SHOWN && !examples.has(at))
        examples.set(at, { where, label: label.slice(0, MAX_SHOWN_LENGTH), class: classes[at] ?? '' });
    }
    const hasNumbers = this.#labels.keys().some((label) => wholeNumber(normal(label)) !== undefined);
    return { numbers, hasNumbers, examples: [...examples.values()], counts };
  }
}

function nothing(): Finding {
  return { count: 0, examples: [] };
}

function add(finding: Finding, example: () => string): void {
  finding.count += 1;
  if (finding.examples.length < MAX_EXAMPLES) finding.examples.push(example());
}

/** How many different numbers labels are, if they are all numbers and too many for classes; undefined for other labels. */
export function manyNumbers(labels: Iterable<string>): number | undefined {
  const different = new Set<string>();
  for (const label of labels) {
    if (!isNumber(label)) return undefined;
    different.add(label.trim());
  }
  return different.size > MOST_CLASSES ? different.size : undefined;
}

function isNumber(label: string): boolean {
  return wholeNumber(label.trim()) !== undefined || (label.trim() !== '' && Number.isFinite(Number(label)));
}
