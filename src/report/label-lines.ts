import { type ReadingLine, readingLines } from '../label/reading-text.ts';
import type { Report } from './report.ts';

/** How the labels of a run were read; empty without labels. */
export function labelLines({ labelReading, labels, classes }: Report): readonly ReadingLine[] {
  if (labelReading === null || labels === null) return [];
  const listed = classes.filter(({ listed }) => listed).map(({ name }) => name);
  return readingLines(labelReading, labels, listed);
}
