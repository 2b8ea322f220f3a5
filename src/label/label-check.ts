import * as z from 'zod';
import { ClassList } from './class-list.ts';

/** Examples of each finding that are kept; the rest is counted. */
const MOST_EXAMPLES = 10;
/** As many labels beside the classes end the scoring of a run. */
const MOST_UNLISTED = 1_000;

const Count = z.int().nonnegative();
const Finding = z.object({ count: Count, examples: z.array(z.string()) });
export type Finding = z.infer<typeof Finding>;

/** What is wrong with the labels of a run, found before its first job. */
export const LabelCheck = z.object({
  inputs: Count.describe('Inputs looked at; records, where labels.truth lies in the records.'),
  isWhole: z.boolean().describe('False where the run has more inputs or records than were looked at.'),
  labelled: Count.describe('Those of them that have a label.'),
  noClass: Finding.describe('Labels that labels.classes does not list.'),
  noInput: Finding.describe('Rows of the label file whose key is that of no file.'),
  conflicting: Finding.describe('Keys, or records, that the label file gives two different labels.'),
  unlabelled: Finding.describe('Inputs, or records, without a label.'),
});
export type LabelCheck = z.infer<typeof LabelCheck>;

/** Counts what is wrong with labels as they come by; memory holds some examples. */
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

  /** Labels beside the classes, where they are too many to be classes: an example. */
  get tooMany(): string | undefined {
    return this.#unlisted.size > MOST_UNLISTED ? [...this.#unlisted].at(-1) : undefined;
  }

  /** Counts an input, or record. */
  input(where: string, isLabelled: boolean): void {
    this.#inputs += 1;
    if (isLabelled) this.#labelled += 1;
    else add(this.#findings.unlabelled, where);
  }

  label(where: string, label: string): void {
    if (this.#classes.lists(label)) return;
    if (this.#unlisted.size <= MOST_UNLISTED) this.#unlisted.add(label);
    add(this.#findings.noClass, `${JSON.stringify(label)} of ${where}`);
  }

  noInput(where: string): void {
    add(this.#findings.noInput, where);
  }

  conflict(where: string, first: string, second: string): void {
    add(this.#findings.conflicting, `${where} (${JSON.stringify(first)}, then ${JSON.stringify(second)})`);
  }

  /** There are inputs or records that are not looked at. */
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
  if (finding.examples.length < MOST_EXAMPLES) finding.examples.push(example);
}
