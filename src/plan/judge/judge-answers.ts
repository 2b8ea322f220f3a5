import type { AnsweringModel } from '../../frameworks/archive.ts';
import { ClassList } from '../../label/class-list.ts';
import type { TalliedLabels } from '../../label/label-tally.ts';
import { RENAME } from '../../label/resolve-prediction.ts';
import type { SignatureTensor } from '../../model/read-signatures.ts';
import type { TaskLabels } from '../../pipeline/label-settings.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import type { SingleNumber } from '../../prediction/prediction.ts';
import type { Problem } from '../../problem/problem.ts';
import { UNJUDGED } from '../../tasks/unjudged.ts';
import { ownNumbers, unlikeOwnClasses } from './own-classes.ts';

/** Classes that a note names. */
const MOST_IDS = 10;

/** The reading of a single number for a record, and contradictions between signature and settings. */
export interface JudgedAnswers {
  readonly single: SingleNumber;
  /** Numbers by which the model names its classes, in the order of its scores, unless they are places and nothing else. */
  readonly ids?: readonly number[];
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

/**
 * Compares the answers that a model's signature declares with `labels`; points that the signature leaves open are decided by
 * the answers.
 */
export function judgeAnswers(
  labels: Pick<TaskLabels, 'task' | 'classOffset' | 'threshold' | 'scores'> & {
    readonly classes: readonly string[];
  },
  { signature, isPlain, answersOutputs, classes: own }: AnsweringModel,
  labelsFile: string,
): JudgedAnswers {
  if (UNJUDGED[labels.task] !== null) return { single: 'class', problems: [], notes: [] };
  const { classes, classOffset, threshold, scores } = labels;
  const scoreCount = classes.length - classOffset;
  const isBinary = scoreCount === 2 && classOffset === 0;
  const refused = (field: string, value: unknown, message: string): JudgedAnswers => ({
    single: 'class',
    problems: [{ file: labelsFile, field, value: toShownValue(value), message }],
    notes: [],
  });
  if (threshold !== null && !isBinary) {
    const found = classOffset === 0 ? `${classes.length} classes` : `a classOffset of ${classOffset}`;
    return refused('labels.threshold', threshold, `is for two classes, and labels has ${found}: remove it`);
  }
  const outputs = answersOutputs ? (signature?.outputs ?? []) : [];
  const namesClass = outputs.some(({ kind }) => kind !== 'float');
  const unlike =
    answersOutputs && own !== null && classOffset === 0
      ? unlikeOwnClasses(own, classes, namesClass)
      : undefined;
  if (unlike !== undefined) return refused('labels.classes', classes, unlike);
  const rivals = new ClassList(classes).hasRivals(classOffset);
  const numbers = answersOutputs && own !== null && namesClass ? ownNumbers(own) : undefined;
  const ids = rivals || numbers?.some((id, place) => id !== place) ? numbers : undefined;
  const ofNumbers = {
    ...(ids && { ids }),
    notes: ids === undefined ? [] : [idsNote(ids, classes, classOffset)],
  };
  if (
    rivals &&
    ids === undefined &&
    outputs.some(({ kind }) => kind === 'integer') &&
    !outputs.some(({ kind }) => kind === 'float')
  )
    return refused(
      'labels.classes',
      classes,
      `has numbers both as names and as other places, and the model's answers are numbers (output ` +
        `${JSON.stringify(outputs[0]?.name)}): ${RENAME}`,
    );
  const [output, ...others] = outputs;
  if (isPlain && output?.kind === 'float' && hasNoBatch(output))
    return refused(
      'labels.classes',
      classes,
      `is judged by one row of scores a record, and the model's output ${JSON.stringify(output.name)} ` +
        `[${output.shape?.join(', ')}] has no axis of records: export it with a first axis of any size (None)`,
    );
  const width = output === undefined || others.length > 0 ? undefined : recordWidth(output);
  const left = (single: SingleNumber): JudgedAnswers => ({
    single: threshold === null ? single : 'score',
    problems: [],
    ...ofNumbers,
  });
  if (output === undefined || width === undefined || output.kind !== 'float')
    return left(isBinary && output?.kind !== 'integer' ? 'either' : 'class');

  const named =
    `the model's signature ${signature?.name ?? ''} answers ${width === 1 ? 'one number' : `${width} scores`} a record ` +
    `(output ${JSON.stringify(output.name)})`;
  if (width === 1 && isBinary) {
    const what = scores === 'logits' ? 'logit' : 'probability';
    const note =
      `${named}: it is read as the ${what} of ${JSON.stringify(classes[1])}, which is predicted above a probability of ` +
      `${threshold ?? 0.5}`;
    return { single: 'score', problems: [], notes: [note] };
  }
  if (width === scoreCount) return left('class');
  const remedy =
    width === 1
      ? 'one number can tell two classes apart, so list two, or serve a model that answers a score for each class; if it ' +
        'predicts a number (a regression), set "labels" to null'
      : `list one class for each score, in the model's ` +
        `order${scoreCount + 1 === width ? ', or set labels.classOffset to -1 where class 0 means "background"' : ''}`;
  const shifted = classOffset === 0 ? '' : ` (with labels.classOffset ${classOffset}: ${scoreCount} scores)`;
  const listed = `lists ${classes.length} classes${shifted}`;
  return refused('labels.classes', classes.length, `${listed}, and ${named}: ${remedy}`);
}

/** The model's numbers with their classes. */
function idsNote(ids: readonly number[], classes: readonly string[], classOffset: number): string {
  const pairs = ids
    .slice(0, MOST_IDS)
    .map((id, place) => `${id} → ${JSON.stringify(classes[place + classOffset] ?? 'no class')}`);
  return (
    'the model names its classes by numbers of its own, which are read by its list: ' +
    `${pairs.join(', ')}${ids.length > MOST_IDS ? ', …' : ''}`
  );
}

/** Notes on a model with another number of scores than classes, if a handler stands in between and may change it. */
export function passedOnNotes(
  {
    task,
    classes,
    classOffset,
  }: Pick<TaskLabels, 'task' | 'classOffset'> & {
    readonly classes: readonly string[];
  },
  { signature, answersOutputs }: AnsweringModel,
): string[] {
  const [output, ...others] = answersOutputs ? [] : (signature?.outputs ?? []);
  if (UNJUDGED[task] !== null || output?.kind !== 'float' || others.length > 0) return [];
  const width = recordWidth(output);
  const scoreCount = classes.length - classOffset;
  if (width === undefined || width === scoreCount || (width === 1 && scoreCount === 2)) return [];
  return [
    `the model answers ${width === 1 ? 'one number' : `${width} scores`} a record (output ` +
      `${JSON.stringify(output.name)} of ${signature?.name ?? ''}), and labels.classes lists ${classes.length} classes: ` +
      `every run fails unless code/inference.py makes ${scoreCount} of them. Else list one class for each score, in the model's order`,
  ];
}

/** Whether an output is one list of numbers, however many records a request has. */
function hasNoBatch({ shape: [size = -1, ...more] = [] }: SignatureTensor): boolean {
  return more.length === 0 && size > 1;
}

/** Numbers of one record; undefined if the shape leaves them open, or they are not a list. */
function recordWidth(output: SignatureTensor): number | undefined {
  const { shape } = output;
  if (shape === undefined || shape.length === 0 || hasNoBatch(output)) return undefined;
  const sizes = shape.slice(1);
  const last = sizes.pop() ?? 1;
  return last > 0 && sizes.every((size) => size === 1) ? last : undefined;
}

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
