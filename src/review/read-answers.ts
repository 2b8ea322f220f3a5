import { readCvat } from './read-cvat.ts';
import { readLabelStudio } from './read-label-studio.ts';
import type { ReadAnswers } from './review-answer.ts';
import { readReviewCsv } from './review-csv.ts';

/** Reads the answers of a review. The first character tells their format: JSON of Label Studio, XML of CVAT, or the table. */
export function readAnswers(text: string, classes: readonly string[]): ReadAnswers {
  switch (text.replace(/^\ufeff/, '').trimStart()[0]) {
    case '[':
    case '{':
      return readLabelStudio(text);
    case '<':
      return readCvat(text);
    default:
      return readReviewCsv(text, classes);
  }
}
