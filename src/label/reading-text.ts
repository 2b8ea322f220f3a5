import { grouped } from '../text/figures.ts';
import type { LabelCheck, LabelReading } from './label-check.ts';
import { wholeNumber } from './reading.ts';

/** A line of the block: what it is about, and the words. */
export interface ReadingLine {
  readonly label: string;
  readonly text: string;
}

/** Title of the block. */
export const READING_TITLE = 'How the labels are read';

/** Classes that the block names, and labels that are none. */
const SHOWN_CLASSES = 12;
const SHOWN_UNLISTED = 3;
/** Width of the labels as text. */
const LABEL_WIDTH = 10;

/**
 * How the labels of a run are read, in a few lines: the same ones on the page, in messages, in the terminal and in the console.
 *
 * @param classes `labels.classes`
 */
export function readingLines(
  { from, numbers, hasNumbers, isSet, examples, counts }: LabelReading,
  { noClass }: Pick<LabelCheck, 'noClass'>,
  classes: readonly string[],
): readonly ReadingLine[] {
  const by = isSet ? ' (labels.numbers)' : '';
  const shown = counts
    .slice(0, SHOWN_CLASSES)
    .map((count, at) => `${named(classes[at] ?? '')} ${grouped(count)}`);
  const rest = counts.slice(SHOWN_CLASSES);
  const others = rest.length === 1 ? '1 other class' : `${grouped(rest.length)} other classes`;
  const more = rest.length === 0 ? [] : [`${grouped(sum(rest))} of ${others}`];
  return [
    { label: 'from', text: from },
    ...(hasNumbers ? [{ label: 'numbers', text: `${meaningOf(numbers, classes)}${by}` }] : []),
    ...(examples.length === 0
      ? []
      : [
          {
            label: 'examples',
            text: examples
              .map((one) => `${nameOf(one.where)} ${JSON.stringify(one.label)} → ${named(one.class)}`)
              .join('; '),
          },
        ]),
    { label: 'classes', text: [...shown, ...more].join(' · ') },
    ...(noClass.count === 0
      ? []
      : [
          {
            label: 'no class',
            text: `${grouped(noClass.count)}: ${noClass.examples.slice(0, SHOWN_UNLISTED).join('; ')}`,
          },
        ]),
  ];
}

/** The lines below each other, for terminals and messages. */
export function readingText(lines: readonly ReadingLine[]): readonly string[] {
  return lines.map(({ label, text }) => `${label.padEnd(LABEL_WIDTH)}${text}`);
}

function meaningOf(numbers: LabelReading['numbers'], classes: readonly string[]): string {
  if (numbers === 'names') return 'names of labels.classes, compared by value';
  const first = numbers === 'index' ? 0 : 1;
  const places = classes.slice(0, 3).map((name, at) => `${at + first} → ${named(name)}`);
  return `places in labels.classes from ${first} on: ${places.join(', ')}${classes.length > 3 ? ', …' : ''}`;
}

/** A class that is named by a number is quoted, next to numbers that are none. */
function named(name: string): string {
  return wholeNumber(name) === undefined ? name : JSON.stringify(name);
}

/** The end of a name that is a key: folders that all inputs share say nothing. */
function nameOf(where: string): string {
  return where.split('/').slice(-2).join('/');
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
