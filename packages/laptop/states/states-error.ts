/** The failure of an attempt of a state: `error` is the name that Retry and Catch match, `cause` is for people. */
export class StatesError extends Error {
  override readonly name = 'StatesError';
  /** Absent only for a Fail state that gives none. */
  readonly error: string | undefined;
  readonly causeText: string | undefined;

  constructor(error: string | undefined, causeText?: string) {
    super(`${error ?? 'error'}: ${causeText ?? ''}`);
    this.error = error;
    this.causeText = causeText;
  }
}

/** Names of Amazon States Language that the engine itself raises. */
export const errorName = {
  all: 'States.ALL',
  taskFailed: 'States.TaskFailed',
  timeout: 'States.Timeout',
  permissions: 'States.Permissions',
  runtime: 'States.Runtime',
  dataLimitExceeded: 'States.DataLimitExceeded',
  queryEvaluationError: 'States.QueryEvaluationError',
  noChoiceMatched: 'States.NoChoiceMatched',
  itemReaderFailed: 'States.ItemReaderFailed',
  resultWriterFailed: 'States.ResultWriterFailed',
  exceedToleratedFailureThreshold: 'States.ExceedToleratedFailureThreshold',
} as const;

/** Wildcards pass these by; `States.Runtime` cannot be caught even by its own name. */
const TERMINAL: ReadonlySet<string> = new Set([errorName.dataLimitExceeded, errorName.runtime]);

/** Whether a retrier or catcher with this `ErrorEquals` applies to an error of this name. */
export function matchesError(errorEquals: readonly string[], error: string | undefined): boolean {
  if (error === errorName.runtime) return false;
  return errorEquals.some((pattern) => matchesName(pattern, error));
}

function matchesName(pattern: string, error: string | undefined): boolean {
  if (pattern === error) return true;
  if (error !== undefined && TERMINAL.has(error)) return false;
  if (pattern === errorName.all) return true;
  return pattern === errorName.taskFailed && error !== errorName.timeout;
}
