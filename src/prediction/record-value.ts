import { isList } from '../text/parse-json.ts';
import type { JsonValue } from './json-documents.ts';
import { OutputError } from './output-error.ts';
import { isNumbers, plainValue, scoreVector, unwrap } from './plain-value.ts';
import type { OutputShape, Prediction } from './prediction.ts';

/** Names that models give to the winning class, as TensorFlow estimators, TorchServe and handlers in the wild do. */
const CLASS_NAMES = new Set([
  'class', 'classes', 'class_id', 'class_ids', 'class_index', 'class_name', 'label', 'labels',
  'prediction', 'predictions', 'predicted', 'predicted_class', 'predicted_label',
]); // prettier-ignore
/** Names of scores, best first: if a model returns logits and probabilities, the probabilities are taken. */
const SCORE_NAMES = ['probabilities', 'probs', 'softmax', 'scores', 'logits', 'all_class_probabilities'];
const CONFIDENCE_NAMES = ['score', 'confidence', 'probability'];

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

/**
 * Reads `{"classes": 3, "probabilities": [0.1, …]}`: the outputs of one record by name.
 *
 * @throws {OutputError} `ambiguous-output` if the names do not tell which field is the class
 */
export function namedOutputs(fields: { readonly [name: string]: JsonValue }, shape: OutputShape): Prediction {
  const names = Object.keys(fields);
  const [only] = names;
  if (typeof fields['error'] === 'string') throw new OutputError('model-error', fields['error']);
  const isSingle = shape.single === 'score';
  // A sigmoid's output may be called `prediction`; next to other fields that name means a class.
  if (isSingle && only !== undefined && names.length === 1) return plainValue(fields[only] ?? null, shape);
  const { scores, one } = scoresOf(fields, shape);
  const confidence =
    one ?? CONFIDENCE_NAMES.map((name) => fields[name]).find((value) => typeof value === 'number');
  const label = labelOf(fields, shape);
  if (scores !== undefined || label !== undefined) {
    return {
      ...(label === undefined ? {} : { label }),
      ...(scores === undefined ? {} : { scores }),
      ...(confidence === undefined ? {} : { confidence }),
    };
  }
  if (isSingle && confidence !== undefined) return { second: confidence };
  if (names.length === 1 && only !== undefined) return plainValue(fields[only] ?? null, shape);
  throw new OutputError(
    'ambiguous-output',
    `the output has the fields ${names.join(', ')}: none is named as a class (classes, label, …) or as scores (probabilities, scores, …)`,
  );
}

function scoresOf(
  fields: { readonly [name: string]: JsonValue },
  shape: OutputShape,
): { readonly scores?: readonly number[]; readonly one?: number } {
  for (const name of SCORE_NAMES) {
    const value = fields[name];
    if (value === undefined) continue;
    const list = isList(value) ? unwrap(value) : [];
    const [first] = list;
    if (list.length === 1 && typeof first === 'number' && shape.single === 'score') return { one: first };
    if (isNumbers(list) && list.length > 0) return { scores: scoreVector(list, shape) };
  }
  return {};
}

function labelOf(
  fields: { readonly [name: string]: JsonValue },
  shape: OutputShape,
): number | string | undefined {
  const labels = new Set<number | string>();
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (!CLASS_NAMES.has(name.toLowerCase()) || value === undefined) continue;
    const list = isList(value) ? unwrap(value) : [value];
    if (list.length !== 1) {
      throw new OutputError(
        'ambiguous-output',
        `the output's field ${name} has ${list.length} values for one record`,
      );
    }
    const { label } = plainValue(list[0] ?? null, { ...shape, single: 'class' });
    if (label !== undefined) labels.add(label);
  }
  // An index and a name may denote the same class; two indexes, or two names, do not.
  const [index] = [...labels].filter((label) => typeof label === 'number');
  const [name] = [...labels].filter((label) => typeof label === 'string');
  if (labels.size > (index === undefined ? 0 : 1) + (name === undefined ? 0 : 1)) {
    throw new OutputError('ambiguous-output', `the output names several classes: ${[...labels].join(', ')}`);
  }
  return index ?? name;
}
