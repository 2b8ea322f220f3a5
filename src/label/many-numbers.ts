import { wholeNumber } from './reading.ts';

/** Different numbers above which labels are not read as the classes of a model that answers one number. */
const MOST_CLASSES = 20;

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
