import { plural } from '../text/figures.ts';
import type { Choice } from './choice.ts';

/** A line of `inferdrop init`: a field of pipeline.json or what was given, what it is, and why. */
export interface InitLine {
  readonly name: string;
  readonly value: string;
  readonly reason: string;
}

/** Characters of a value that a line shows. */
const SHOWN = 60;
/** Classes that are counted in a line. */
const COUNTED = 8;

/** A field as its line shows it: `columns.features  mean_radius, mean_texture, … (30)`. */
export function choiceLine({ field, value, reason }: Choice): InitLine {
  return { name: field, value: shownValue(value), reason };
}

function shownValue(value: unknown): string {
  if (typeof value === 'string') return shortened(value);
  if (!Array.isArray(value) || value.length === 0) return shortened(JSON.stringify(value));
  const names = value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  let shown = 1;
  while (shown < names.length && names.slice(0, shown + 1).join(', ').length <= SHOWN) shown++;
  const few = shortened(names.slice(0, shown).join(', '));
  return shown < names.length ? `${few}, … (${names.length})` : few;
}

function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text;
}

/** The labels of a table, counted: `benign (357), malignant (212)`. */
export function countedLabels(labels: readonly string[]): string {
  const counts = [...Map.groupBy(labels, (label) => label)]
    .map(([label, { length }]) => ({ label, length }))
    .toSorted((a, b) => b.length - a.length);
  const shown = counts.slice(0, COUNTED).map(({ label, length }) => `${label} (${length})`);
  const left = counts.length - shown.length;
  return shown.join(', ') + (left > 0 ? ` and ${plural(left, 'other')}` : '');
}
