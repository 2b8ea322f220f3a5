import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(import.meta.dirname, '..', 'fixtures');
const ANSWERS = '.answers.json';

/** Answers of a model's own library, as lab/oracle/trees/write_fixtures.py writes them. */
export interface Answers {
  readonly rows: readonly (readonly (number | null)[])[];
  readonly answers: readonly (readonly number[])[];
  /** Rounds or trees in the file. */
  readonly trees: number;
}

/** Names of the models. */
export const FIXTURES: readonly string[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith(ANSWERS))
  .map((name) => name.slice(0, -ANSWERS.length));

/** The bytes of a model. */
export function modelOf(name: string): Uint8Array {
  return readFileSync(path.join(FOLDER, name));
}

/** What its library answers. */
export function libraryAnswers(name: string): Answers {
  return JSON.parse(readFileSync(path.join(FOLDER, `${name}${ANSWERS}`), 'utf8')) as Answers;
}

/** Largest difference of two answers, relative to answers above 1. */
export function largestDifference(
  found: readonly (readonly number[])[],
  wanted: readonly (readonly number[])[],
): number {
  // A library answers a yes or no with the probability of yes.
  const isBinary = wanted[0]!.length === 1 && found[0]!.length === 2;
  const differences = wanted.flatMap((row, at) =>
    row.map((value, column) => {
      const answer = found[at]![isBinary ? 1 : column]!;
      return Math.abs(answer - value) / Math.max(1, Math.abs(value));
    }),
  );
  return differences.some(Number.isNaN) ? NaN : Math.max(...differences);
}
