import type { AnsweringModel } from '../../frameworks/archive.ts';
import type { TalliedLabels } from '../../label/label-tally.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import type { Problem } from '../../problem/problem.ts';
import { recordWidth } from './judge-answers.ts';

/** Remedy for a model that predicts numbers. */
const REGRESSION =
  'that is a regression, which is not judged. Set "labels" to null: the run then has every answer, its errors and its ' +
  'cost, and no accuracy';

/** Refuses to judge a model that answers one number a record by labels that are many different numbers. */
export function regressionProblems(
  labels: Pick<TalliedLabels, 'differentNumbers'> | null,
  answers: AnsweringModel | undefined,
  file: string,
): Problem[] {
  const [output, ...others] = answers?.answersOutputs === true ? (answers.signature?.outputs ?? []) : [];
  const isSingle = output?.kind === 'float' && others.length === 0 && recordWidth(output) === 1;
  if (!isSingle || labels?.differentNumbers === undefined) return [];
  const message =
    `finds ${labels.differentNumbers} different numbers, and the model answers one number a record (output ` +
    `${JSON.stringify(output.name)}): ${REGRESSION}`;
  return [{ file, field: 'labels.truth', value: toShownValue(labels.differentNumbers), message }];
}
