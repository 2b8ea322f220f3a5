import { cellText } from '@inferdrop/table/cells';
import { csvRows } from '@inferdrop/table/csv-rows';
import { RecordUnreadable } from '@inferdrop/table/record-cutter';
import { csvCell, csvTable } from '../report/table/csv-table.ts';
import type { ReadAnswers, ReviewAnswer } from './review-answer.ts';
import type { ReviewTask } from './review-task.ts';

/** The column that a person fills in. */
const ANSWER = 'reviewed_label';
const REVIEW_CSV = csvTable<ReviewTask>({
  id: ({ id }) => id,
  key: ({ key }) => key,
  record_index: ({ recordIndex }) => recordIndex,
  line: ({ line }) => line,
  record_id: ({ recordId }) => recordId,
  picture: ({ picture }) => picture,
  label: ({ label }) => label,
  predicted: ({ predicted }) => predicted,
  score: ({ score }) => score,
  [ANSWER]: () => '',
});

/** The tasks as a table without formulas, with a last column to fill in. */
export function* reviewCsv(tasks: Iterable<ReviewTask>): Generator<string> {
  yield REVIEW_CSV.header;
  for (const task of tasks) yield REVIEW_CSV.line(task);
}

/**
 * Reads the answers of such a table: rows with an empty last column have no answer. A class that the table had to write with an
 * apostrophe, so that no spreadsheet runs it, is accepted with and without it.
 *
 * @param classes classes that an answer may name
 */
export function readReviewCsv(text: string, classes: readonly string[]): ReadAnswers {
  const answers: ReviewAnswer[] = [];
  const problems: string[] = [];
  const inert = new Map(classes.map((name) => [cellText(csvCell(name)).trim(), name]));
  let places: { readonly id: number; readonly answer: number; readonly key: number } | undefined;
  try {
    for (const row of csvRows(text)) {
      const cells = row.cells.map((cell) => cellText(cell).trim());
      if (places === undefined) {
        const [id, answer, key] = ['id', ANSWER, 'key'].map((name) => cells.indexOf(name));
        if (id === undefined || answer === undefined || key === undefined || id < 0 || answer < 0)
          return {
            answers,
            problems: [
              `line ${row.line} must be the header with id and ${ANSWER}, is ${JSON.stringify(row.text.slice(0, 120))}`,
            ],
          };
        places = { id, answer, key };
        continue;
      }
      const label = cells[places.answer] ?? '';
      if (label === '') continue;
      const id = cells[places.id] ?? '';
      const place = `line ${row.line} (${JSON.stringify(cells[places.key] ?? id)})`;
      const written = classes.includes(label) ? label : inert.get(label);
      answers.push({ id, label: written ?? label, place, by: undefined, at: undefined });
    }
  } catch (error) {
    if (!(error instanceof RecordUnreadable)) throw error;
    // The rest of the file, with answers that would be lost.
    problems.push(
      `line ${error.line} must have quotes that close, is ${JSON.stringify(error.head.slice(0, 120))}`,
    );
  }
  return { answers, problems };
}
