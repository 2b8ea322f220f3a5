import { ClassList } from './class-list.ts';
import type { Finding, LabelCheck } from './label-check.ts';

/** Cap on the examples kept of each finding; the rest is counted. */
const MAX_EXAMPLES = 10;
/** Cap on the labels outside `labels.classes`; scoring fails beyond it with `TooManyLabels`. */
const MAX_UNLISTED = 1_000;

/** Counts the defects of labels one row at a time; a bounded number of examples is kept. */
export class LabelTally {
  readonly #classes: ClassList;
  readonly #unlisted = new Set<string>();
  readonly #findings = {
    noClass: nothing(),
    noInput: nothing(),
    conflicting: nothing(),
    unlabelled: nothing(),
  };
  #inputs = 0;
  #labelled = 0;
  #isWhole = true;

  constructor(classes: readonly string[]) {
    this.#classes = new ClassList(classes);
  }

  /** An example of a label outside `labels.classes`, where there are too many of them; else undefined. */
  get tooMany(): string | undefined {
    return this.#unlisted.size > MAX_UNLISTED ? [...this.#unlisted].at(-1) : undefined;
  }

  /** Counts an input, or record. */
  input(where: string, isLabelled: boolean): void {
    this.#inputs += 1;
    if (isLabelled) this.#labelled += 1;
    else add(this.#findings.unlabelled, where);
  }

  label(where: string, label: string): void {
    if (this.#classes.lists(label)) return;
    if (this.#unlisted.size <= MAX_UNLISTED) this.#unlisted.add(label);
    add(this.#findings.noClass, `${JSON.stringify(label)} of ${where}`);
  }

  noInput(where: string): void {
    add(this.#findings.noInput, where);
  }

  conflict(where: string, first: string, second: string): void {
    add(this.#findings.conflicting, `${where} (${JSON.stringify(first)}, then ${JSON.stringify(second)})`);
  }

  /** Marks the check as partial: some inputs or records were not checked. */
  leaveRest(): void {
    this.#isWhole = false;
  }

  finish(): LabelCheck {
    return { inputs: this.#inputs, isWhole: this.#isWhole, labelled: this.#labelled, ...this.#findings };
  }
}

function nothing(): Finding {
  return { count: 0, examples: [] };
}

function add(finding: Finding, example: string): void {
  finding.count += 1;
  if (finding.examples.length < MAX_EXAMPLES) finding.examples.push(example);
}
