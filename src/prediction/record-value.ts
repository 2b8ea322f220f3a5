import { isList } from '../text/parse-json.ts';
import type { JsonValue } from './json-documents.ts';
import { namedOutputs } from './named-outputs.ts';
import { plainValue } from './plain-value.ts';
import type { OutputShape, Prediction } from './prediction.ts';

/**
 * Reads a record's answer, named or not.
 *
 * @throws {OutputError} if the value is not a prediction, or is ambiguous
 * @throws {ClassCountMismatch} if the length of a score vector differs from the number of classes
 */
export function recordValue(value: JsonValue, shape: OutputShape): Prediction {
  if (isList(value)) {
    const [first] = value;
    return value.length === 1 && isObject(first) ? namedOutputs(first, shape) : plainValue(value, shape);
  }
  return isObject(value) ? namedOutputs(value, shape) : plainValue(value, shape);
}

/** Reads the answers of several records, each on demand; a single one, as in nearly all outputs, at once. */
export function recordValues(values: readonly JsonValue[], shape: OutputShape): Iterable<Prediction> {
  const [only] = values;
  return values.length === 1 && only !== undefined ? [recordValue(only, shape)] : eachRecord(values, shape);
}

function* eachRecord(values: readonly JsonValue[], shape: OutputShape): Generator<Prediction> {
  for (const value of values) yield recordValue(value, shape);
}

function isObject(value: JsonValue | undefined): value is { readonly [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !isList(value);
}
