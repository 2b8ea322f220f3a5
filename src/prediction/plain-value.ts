import { isList } from '../text/parse-json.ts';
import type { JsonValue } from './json-documents.ts';
import { ClassCountMismatch, OutputError } from './output-error.ts';
import type { OutputShape, Prediction } from './prediction.ts';

/**
 * Reads a record's answer without a name: a class index, a class name or a vector of scores.
 *
 * @throws {OutputError} if the value is not a prediction, or is ambiguous
 * @throws {ClassCountMismatch} if the length of a score vector differs from the number of classes
 */
export function plainValue(value: JsonValue, shape: OutputShape): Prediction {
  if (typeof value === 'number')
    return shape.single === 'score' ? { second: value } : { label: classIndex(value) };
  if (typeof value === 'string') return { label: value };
  if (isList(value)) return vector(unwrap(value), shape);
  const found = value === null || typeof value === 'boolean' ? JSON.stringify(value) : 'an object';
  throw new OutputError('unreadable-output', `the output has ${found} where a prediction belongs`);
}

function vector(list: readonly JsonValue[], shape: OutputShape): Prediction {
  const [first] = list;
  if (list.length === 1 && first !== undefined && shape.scoreCount !== 1) return plainValue(first, shape);
  if (list.length === 0 || !isNumbers(list)) {
    throw new OutputError(
      'unreadable-output',
      'the output has a nested, mixed or empty list where scores belong',
    );
  }
  return { scores: scoreVector(list, shape) };
}

/** @throws {ClassCountMismatch} */
export function scoreVector(scores: readonly number[], { scoreCount }: OutputShape): readonly number[] {
  if (scores.length !== scoreCount) throw new ClassCountMismatch(scores.length, scoreCount);
  return scores;
}

/** Drops the batch dimensions of 1 that some handlers leave around a record's values. */
export function unwrap(list: readonly JsonValue[]): readonly JsonValue[] {
  const [first] = list;
  return list.length === 1 && first !== undefined && isList(first) ? unwrap(first) : list;
}

/** A field of a JSON object; undefined if the value is not an object, or lacks the field. */
export function fieldOf(value: JsonValue, name: string): JsonValue | undefined {
  return value === null || typeof value !== 'object' || isList(value) ? undefined : value[name];
}

/** Whether all items of a list are numbers. */
export function isNumbers(list: readonly JsonValue[]): list is readonly number[] {
  return list.every((item) => typeof item === 'number');
}

/** The class of an index; the single number of a regression is not one. */
function classIndex(value: number): number {
  if (Number.isInteger(value)) return value;
  if (Number.isNaN(value))
    throw new OutputError('not-a-number', 'the output has NaN where a class index belongs');
  const remedy =
    value > 0 && value < 1
      ? '. One probability a record is for pipelines with two classes in labels.classes'
      : '. If the model predicts numbers (a regression), set "labels" to null in pipeline.json';
  throw new OutputError(
    'ambiguous-output',
    `the output is the single number ${value}, which is neither a class index nor one score per class${remedy}`,
  );
}
