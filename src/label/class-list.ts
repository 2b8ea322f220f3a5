import { createHash } from 'node:crypto';
import { Condition } from '../problem/conditions.ts';
import { type DecidedReading, normal, wholeNumber } from './reading.ts';

/** Cap on the labels outside `labels.classes`: more than this come from a pattern that captures an id, or from a column of free text. */
const MAX_UNLISTED = 1_000;

/**
 * Cap on the characters kept of a label outside `labels.classes`: it appears in each row, table and matrix, so that a text of megabytes,
 * which is not a class, would make pages too large to build. A longer one is distinguished by its digest.
 */
const MAX_UNLISTED_LENGTH = 256;

/** A truth pattern or a model yields more labels outside `labels.classes` than a set of classes can have. */
export class TooManyLabels extends Condition {
  constructor(example: string) {
    super(
      'TooManyLabels',
      `pipeline.json: labels.classes misses more than ${MAX_UNLISTED} of the labels found, such as ` +
        `${JSON.stringify(example)}: list the classes, or let labels.truth capture only the class`,
    );
  }
}

/**
 * The classes of a run as small integers: the listed ones first, in the pipeline's order, then each label met outside the list.
 */
export class ClassList {
  readonly names: string[];
  /** Number of classes that the pipeline lists. */
  readonly listed: number;
  readonly #ids = new Map<string, number>();
  /** Ids of labels that were read. */
  readonly #labels = new Map<string, number>();
  /** Ids of listed classes that are named by a number, by its value; undefined for a value of several. */
  #values: ReadonlyMap<number, number | undefined> | undefined;

  constructor(listed: readonly string[], unlisted: readonly string[] = []) {
    this.names = [...listed];
    this.listed = listed.length;
    for (const [id, name] of listed.entries()) if (!this.#ids.has(name)) this.#ids.set(name, id);
    for (const name of unlisted) this.add(name);
  }

  get unlisted(): readonly string[] {
    return this.names.slice(this.listed);
  }

  has(name: string): boolean {
    return this.#ids.has(name);
  }

  /**
   * Id of a name, which joins the list if it is new.
   *
   * @throws {TooManyLabels}
   */
  add(text: string): number {
    const name = this.#ids.has(text) ? text : shortened(text);
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    if (this.names.length - this.listed >= MAX_UNLISTED) throw new TooManyLabels(name);
    const id = this.names.push(name) - 1;
    this.#ids.set(name, id);
    return id;
  }

  /** Id of a class by its index in the list; an index outside the list becomes a class named `#<index>`. */
  at(index: number): number {
    return index >= 0 && index < this.listed ? index : this.add(`#${index}`);
  }

  /** Id of the listed class that is named by this number, however it is written. */
  byValue(number: number): number | undefined {
    return this.#named().get(number);
  }

  /** Whether a number could be the name of one class and the place of another. */
  hasRivals(classOffset: number): boolean {
    return this.#named()
      .entries()
      .some(([value, id]) => {
        const place = value + classOffset;
        return id === undefined || (place !== id && place >= 0 && place < this.listed);
      });
  }

  #named(): ReadonlyMap<number, number | undefined> {
    if (this.#values !== undefined) return this.#values;
    const values = new Map<number, number | undefined>();
    for (const [id, name] of this.names.slice(0, this.listed).entries()) {
      const value = wholeNumber(normal(name));
      if (value !== undefined) values.set(value, values.has(value) ? undefined : id);
    }
    this.#values = values;
    return values;
  }

  /** Id of a label as the run's labels are read; one that is no class joins the list, under a name that no class has. */
  label(text: string, { resolve }: Pick<DecidedReading, 'resolve'>): number {
    const known = this.#labels.get(text);
    if (known !== undefined) return known;
    const listed = resolve(text);
    const id = listed ?? this.add((this.#ids.get(text) ?? this.listed) < this.listed ? `#${text}` : text);
    if (text.length <= MAX_UNLISTED_LENGTH) this.#labels.set(text, id);
    return id;
  }
}

function shortened(name: string): string {
  if (name.length <= MAX_UNLISTED_LENGTH) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${name.slice(0, 64)}… (${name.length} characters, SHA-256 ${digest})`;
}
