import { CONDITIONS, type Kind } from './conditions.ts';

/** An error that Step Functions or Lambda gives, not our code: its own words are missing, or say nothing to a person. */
interface ServiceError {
  /** The end of a sentence that begins with the name of the step. */
  readonly did: string;
  readonly next: string;
}

const READ_LOG =
  'Rerun. If it fails so again, the log of the function of that step says more (/aws/lambda/ in CloudWatch).';
const REPORT =
  'Deploy again and rerun. If it fails so again, inferdrop is at fault, not your files: report it with the history of the execution.';
const AGAIN = 'Rerun: a service of AWS failed, and nothing of the run is at fault.';
const TOO_BUSY: ServiceError = {
  did: 'found no free function of the account in a hundred tries',
  next:
    'Ask for more concurrent executions of Lambda in Service Quotas, or lower predictConcurrency and foldConcurrency of ' +
    'the deployment, then rerun.',
};
const DIED =
  'Rerun with fewer files in a drop, or with smaller ones. If it fails so again, report it with the history of the execution.';
const FAILED = { did: 'failed in AWS, also when it was tried again', next: AGAIN };

const SERVICE_ERRORS: Readonly<Record<string, ServiceError>> = {
  'States.Timeout': { did: 'had no answer within its time limit', next: READ_LOG },
  'States.HeartbeatTimeout': { did: 'gave no sign of life within its time limit', next: READ_LOG },
  'States.TaskFailed': { did: 'failed without a reason', next: READ_LOG },
  'States.ExceedToleratedFailureThreshold': {
    did: 'lacks the answer of one of its functions, also when it was tried again',
    next: READ_LOG,
  },
  'States.ItemReaderFailed': { did: 'could not read its list from the bucket', next: AGAIN },
  'States.ResultWriterFailed': { did: 'could not write its results to the bucket', next: AGAIN },
  'States.DataLimitExceeded': { did: 'has more data than Step Functions carries (256 KiB)', next: REPORT },
  'States.Runtime': { did: 'has data of a form that the state machine does not expect', next: REPORT },
  'States.QueryEvaluationError': { did: 'has an expression that cannot be evaluated', next: REPORT },
  'States.Permissions': { did: 'lacks a permission', next: REPORT },
  'Lambda.TooManyRequestsException': TOO_BUSY,
  TooManyRequestsException: TOO_BUSY,
  'Lambda.ServiceException': FAILED,
  'Lambda.AWSLambdaException': FAILED,
  'Lambda.SdkClientException': FAILED,
  'Lambda.Unknown': { did: 'ended without an answer, also when it was tried again', next: READ_LOG },
  'Sandbox.Timedout': { did: 'ran longer than its function may', next: DIED },
  'Runtime.OutOfMemory': { did: 'used up the memory of its function', next: DIED },
  'Runtime.ExitError': {
    did: 'was ended, most often since it used up the memory of its function',
    next: DIED,
  },
};

/** Steps with functions that fail like this because of the model. */
const BY_MODEL: Readonly<Record<string, string>> = {
  PrepareModel:
    'The model is too large to be converted for functions: raise predictMemory of the deployment, or take ' +
    'transform.engine "sagemaker" (and another endpoint.type than "lambda"), then rerun.',
};

/** Explains an error of Step Functions or Lambda in a sentence about the step, with the next step; undefined for any other error. */
export function serviceError(
  error: string,
  step = '',
): { readonly meaning: string; readonly next: string } | undefined {
  const found = Object.hasOwn(SERVICE_ERRORS, error) ? SERVICE_ERRORS[error] : undefined;
  if (found === undefined) return undefined;
  const next = (found.next === DIED ? BY_MODEL[step] : undefined) ?? found.next;
  return { meaning: `${step === '' ? 'a step' : `the step ${step}`} ${found.did}`, next };
}

/** Next step after an error that ended a run in a state; undefined for one that only the execution's history explains. */
export function nextStepOf(name: string, state?: string): string | undefined {
  const kinds: Readonly<Record<string, Kind>> = CONDITIONS;
  return Object.hasOwn(kinds, name) ? kinds[name]?.next : serviceError(name, state)?.next;
}
