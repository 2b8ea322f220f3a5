import { toShownValue } from '../pipeline/shown-value.ts';
import type { Problem } from '../problem/problem.ts';

/** CreateTrainingJob's bounds. */
const MAX_NAME_LENGTH = 256;
const MAX_VALUE_LENGTH = 2_500;
const MAX_HYPERPARAMETERS = 100;
/** Hyperparameters that the toolkit and the distribution add. */
const ADDED = 10;

/** Names that the training toolkit reads itself, so that the script would not get them. */
const TOOLKIT = ['default_user_module_name', '_tuning_objective_metric'];

/** Names under which AWS's scripts receive the folder for their model, and those that argparse takes for abbreviations of them. */
const MODEL_DIR = /^(?:sm[-_])?model[-_](?:d|di|dir)$/;

/** Hyperparameters of one of the files that may set them. */
export interface WrittenHyperparameters {
  readonly file: 'pipeline.json' | 'job.json';
  /** Path of the field that holds them. */
  readonly field: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * A hyperparameter as SageMaker's SDK sends it: the value as Python writes JSON (`json.dumps`), which the training toolkit reads.
 */
export function toHyperparameter(value: unknown): string {
  return toPythonJson(value).replace(/[\u007f-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function toPythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toPythonJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${toPythonJson(member)}`,
  );
  return `{${members.join(', ')}}`;
}

/** Problems of the hyperparameters of a file. */
export function hyperparameterProblems({ file, field, values }: WrittenHyperparameters): Problem[] {
  const entries = Object.entries(values);
  const problems = entries.flatMap(([name, value]) => {
    const message = nameProblem(name) ?? placeProblem(name, file) ?? valueProblem(value);
    return message === undefined
      ? []
      : [{ file, field: `${field}.${name}`, value: toShownValue(value), message }];
  });
  if (entries.length <= MAX_HYPERPARAMETERS - ADDED) return problems;
  const message =
    `must have at most ${MAX_HYPERPARAMETERS - ADDED} names, has ${entries.length}: SageMaker takes ` +
    `${MAX_HYPERPARAMETERS}, and the training toolkit needs some; put several into one value`;
  return [...problems, { file, field, value: '', message }];
}

function nameProblem(name: string): string | undefined {
  if (name.startsWith('sagemaker_') || TOOLKIT.includes(name))
    return 'is a name of the training toolkit, and this application sets its values: rename it';
  if (!/^[^\s=\0]+$/.test(name) || name.startsWith('-'))
    return `must have a name without spaces, "=" and "-" at its start, because it becomes the argument --${name} of the script: rename it`;
  if (name.length > MAX_NAME_LENGTH)
    return `must have a name of at most ${MAX_NAME_LENGTH} characters, has ${name.length}: shorten it`;
  return undefined;
}

function placeProblem(name: string, file: WrittenHyperparameters['file']): string | undefined {
  if (file === 'pipeline.json' || !MODEL_DIR.test(name)) return undefined;
  return (
    "says where the script writes its model, which is the pipeline's to decide: remove it, or set it in " +
    'training.hyperparameters of pipeline.json'
  );
}

function valueProblem(value: unknown): string | undefined {
  const unsendable = inexactNumber(value) ?? nulCharacter(value);
  if (unsendable !== undefined) return unsendable;
  const { length } = toHyperparameter(value);
  if (length > MAX_VALUE_LENGTH)
    return (
      `must have at most ${MAX_VALUE_LENGTH} characters as JSON, has ${length}: SageMaker takes no more; put it into a ` +
      'file of the source folder'
    );
  return undefined;
}

/** Problem of a number in a value that would lose digits as JSON; undefined if all numbers are exact. */
export function inexactNumber(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value))
    return 'must be a number that JSON can hold, is larger than that: write it as a string';
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return `must be an integer up to 2^53 in JSON, and would be sent as ${value}: write it as a string`;
  return firstOf(value, inexactNumber);
}

function nulCharacter(value: unknown): string | undefined {
  if (typeof value === 'string' && value.includes('\0'))
    return 'must have no NUL, because it becomes an argument of the script: remove it';
  return firstOf(value, nulCharacter);
}

/** The first problem of the members of a list or object. */
function firstOf(value: unknown, problemOf: (member: unknown) => string | undefined): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const member of Object.values(value)) {
    const problem = problemOf(member);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
