import type { StepFailure } from '../../problem/cause-text.ts';
import { nextStepOf } from '../../problem/service-errors.ts';

/** Conditions about inputs: the advice depends on why most inputs have no prediction. */
const ABOUT_INPUTS = new Set(['NothingPredicted', 'ErrorRateExceeded']);

const UNREADABLE =
  'The model answered, but its answers are not classifications that can be read: errors.csv says what they hold ' +
  'instead, predictions/ has the answers themselves. Correct the model’s signature, its handler or ' +
  'transform.accept, then rerun.';
const CHANGED =
  'The files were overwritten or deleted while the run went on: drop them again and leave them until the run has ended.';

const BY_REASON: Readonly<Record<string, string>> = {
  'model-error':
    'errors.csv names each input without an answer, and says why as far as the job’s log does; inferdrop logs RUN ' +
    'shows the whole log. Remove the files that are not for the model, raise transform.invocationsTimeoutInSeconds ' +
    'if answers came too late, or correct the model, its handler or transform.contentType, then rerun.',
  'unreadable-output': UNREADABLE,
  'ambiguous-output': UNREADABLE,
  'wrong-record-count':
    'The model answered with another number of predictions than the file has records: correct the model, its handler or ' +
    'transform.splitType, then rerun.',
  'not-a-number': 'The model answered NaN: correct the model or what its handler feeds it, then rerun.',
  'not-attempted':
    'A limit ended the run before every input had its job: raise the limit that errors.csv names, then rerun.',
  unreadable: 'Convert what errors.csv names, or leave it out.',
  empty: 'Upload files that are not empty.',
  'too-large': 'Upload smaller files, or let transform.splitType cut them into records.',
  'key-too-long': 'Upload the files under shorter names.',
  superseded: CHANGED,
  deleted: CHANGED,
  'output-missing': 'Outputs were removed before they were read: rerun.',
};

/**
 * Advice about a run that ended early; `errorsByReason` counts its inputs without a prediction by reason, `isPredicted` is whether its
 * predictions were complete, so that its jobs need not run again.
 */
export function nextStep(
  { error, step: state }: Pick<StepFailure, 'error' | 'step'>,
  errorsByReason: Readonly<Record<string, number>> = {},
  isPredicted = false,
): string {
  const [most] = Object.entries(errorsByReason).sort((a, b) => b[1] - a[1]);
  const step = ABOUT_INPUTS.has(error) && most !== undefined ? BY_REASON[most[0]] : undefined;
  const again = isPredicted
    ? 'then inferdrop rescore: the predictions are used again, and no job is paid for.'
    : 'then rerun.';
  return (
    step ?? nextStepOf(error, state) ?? `Read the execution’s history for the step that failed, ${again}`
  );
}
