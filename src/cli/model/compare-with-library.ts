import { readFile } from 'node:fs/promises';
import { loadAnsweringModel } from '@inferdrop/model-container/internal/onnx-answering-model';

/** A library's answers, a list for each input. */
export interface LibraryAnswers {
  /** Cells of rows, null for a missing value; or image files. */
  readonly rows: readonly (string | readonly (number | null)[])[];
  readonly answers: readonly (readonly number[])[];
}

/** Answers of a converted model next to the library's, for the input where they differ most. */
export interface Compared {
  readonly file: string;
  readonly row: number;
  /** Largest difference, as a share of the library's number from 1 on. */
  readonly difference: number;
  readonly here: readonly number[];
  readonly there: readonly number[];
}

/** Compares an ONNX file with the library of the model; a reason if it can't be run. */
export async function compareWithLibrary(
  file: string,
  { rows, answers }: LibraryAnswers,
  images?: Parameters<typeof loadAnsweringModel>[1],
): Promise<Compared | { readonly reason: string }> {
  const model = await loadAnsweringModel(file, images).catch((error: unknown) => ({
    reason: error instanceof Error ? error.message : String(error),
  }));
  if ('reason' in model) return model;
  let furthest: Compared = { file, row: 0, difference: -1, here: [], there: [] };
  try {
    for (const [row, input] of rows.entries()) {
      const answer = await model.answer(await requestOf(input));
      if ('refused' in answer) return { reason: answer.refused };
      const scores = [...answer.outputs.values()].findLast(({ dtype }) => dtype.startsWith('float'));
      const here = Array.from(scores?.data ?? [], Number);
      const there = inScores(answers[row] ?? [], here.length);
      const difference = differenceOf(here, there);
      if (!(difference <= furthest.difference)) furthest = { file, row, difference, here, there };
      if (Number.isNaN(difference)) break;
    }
  } finally {
    await model.close();
  }
  return furthest;
}

async function requestOf(input: LibraryAnswers['rows'][number]): Promise<Buffer> {
  if (typeof input === 'string') return readFile(input);
  return Buffer.from(input.map((cell) => cell ?? '').join(','));
}

/** Libraries of trees answer a yes or no with the probability of yes. */
function inScores(answer: readonly number[], count: number): readonly number[] {
  const [yes = NaN] = answer;
  return answer.length === 1 && count === 2 ? [1 - yes, yes] : answer;
}

function differenceOf(here: readonly number[], there: readonly number[]): number {
  if (here.length !== there.length) return Infinity;
  return Math.max(
    ...here.map((one, at) => Math.abs(one - (there[at] ?? NaN)) / Math.max(1, Math.abs(there[at] ?? 0))),
  );
}
