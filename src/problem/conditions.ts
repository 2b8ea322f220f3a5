/** How a state machine treats a condition; `elsewhere`: no state machine meets it. */
type Fate =
  /** Transient: the machine retries. */
  | 'retried'
  /** It stops the execution. */
  | 'final'
  /** SQS redelivers the message, the command line shows it, or a caller turns it into a problem. */
  | 'elsewhere';

/** How a condition is told and treated. */
export interface Kind {
  readonly fate: Fate;
  /** Cause, for the operator's page; only for conditions that end a run and that a user can correct. */
  readonly meaning?: string;
  /** Next step, as message and report say it. */
  readonly next?: string;
  /** Who is to blame when a run ends like this: a user's mistake rings no alarm. If either may be at fault, the operator's alarm rings. */
  readonly fault?: 'user';
}

const retried = { fate: 'retried' } as const;
const final = { fate: 'final' } as const;
const elsewhere = { fate: 'elsewhere' } as const;
const mistaken = { fate: 'final', fault: 'user' } as const;

/** A condition that stops the execution, and rings the operator's alarm. */
function stops(meaning: string, next: string): Kind {
  return { ...final, meaning, next };
}

/** A condition that stops the execution by a user's mistake, which rings no alarm. */
function mistake(meaning: string, next: string): Kind {
  return { ...mistaken, meaning, next };
}

/** Every condition by its name, which `ErrorEquals` of the state machines matches and messages show. */
export const CONDITIONS = {
  Throttled: retried,
  InternalError: retried,
  ServiceUnavailable: retried,
  NetworkingError: retried,
  /** The request was signed too long before or after it arrived. */
  ClockSkewed: retried,
  /** SageMaker limits how many jobs start within a second. */
  TransformThrottled: retried,
  /** Another invocation sends the message of the run. */
  MessageBeingSent: retried,
  ResourceLimitExceeded: {
    fate: 'retried',
    meaning: "the account's quota for the instance type",
    next: 'Ask for a higher quota of the instance type in Service Quotas, or name another type, then rerun.',
  },

  PlanRefused: mistake(
    'something in pipeline.json, job.json, the archive or the inputs',
    'Correct what the problems name, then drop the files again or rerun this run.',
  ),
  ModelRefused: stops(
    'SageMaker, or the stack on this machine, cannot run the model',
    'Follow the remedy in the message, then rerun.',
  ),
  ModelNeedsContainer: stops(
    'functions cannot run the model',
    'Follow the remedy in the message, then rerun.',
  ),
  PilotFailed: mistake(
    "the answers for a large run's first inputs cannot be counted",
    'Correct what the message names, then rerun: only a few inputs have been paid for.',
  ),
  NothingPredicted: stops(
    'no input has a prediction after every attempt',
    'Read errors.csv for the reason of each input, correct it, then rerun.',
  ),
  OutputLayoutUnexpected: stops(
    'SageMaker wrote outputs where none belong',
    'Compare predictions/ with manifest.jsonl: some outputs belong to no input, so nothing was scored.',
  ),
  BundleMissing: stops(
    'a bundle of inputs vanished between its writing and the start of its job, twice',
    'Find what removes objects below staged/, such as a lifecycle rule or a script, then rerun.',
  ),
  InstanceCapacity: stops(
    "none of the plan's instance types is available",
    'Rerun later, or add other instance types to transform.instanceTypes, of a training to training.instances.types.',
  ),
  ClassCountMismatch: mistake(
    'the model gives another number of scores than there are classes',
    'Make labels.classes match the model in pipeline.json, then inferdrop rescore: the predictions are used again, ' +
      'and no job is paid for.',
  ),
  TooManyLabels: mistake(
    'more than a thousand labels match no class',
    'Correct labels in pipeline.json or the label file, then inferdrop rescore: the predictions are used again, and ' +
      'no job is paid for.',
  ),
  BaselineMissing: mistake(
    'files of the run in `report.baseline` were removed meanwhile',
    'Name another run in report.baseline, or none, then inferdrop rescore: files of the baseline run were removed.',
  ),
  ModelMissing: mistake(
    'the training ended and left no model.tar.gz',
    'Have the script write its model below SM_MODEL_DIR, then train again.',
  ),
  ModelReplaced: stops(
    'the archive of the training job is not, or not only, what the job has written',
    'Find out what else writes below runs/training/ of the bucket, then train again.',
  ),
  ModelUnusable: mistake(
    'the inference container would not serve the archive of the training',
    'Correct what the message says of the script, the handler or pipeline.json, then train again.',
  ),
  EvaluationFailed: mistake(
    'a run that judges the model of a training ended without predictions, or the cap left nothing for it',
    'Read the report of the run that the message names. The model is kept: rerun the training, or promote it with ' +
      'inferdrop promote --force.',
  ),
  TrainingFailed: mistake(
    'the training job ended as failed, most often because the script raised an error',
    "Read the end of the log in the training's report, correct the script or the settings, then rerun: it continues " +
      'from its checkpoints, if there are any.',
  ),
  TrainingInterrupted: stops(
    'SageMaker ended the training job by an error of its own, as the stack on this machine does with jobs that ran when it was killed',
    'Rerun: the script is not at fault. With training.checkpoints it continues from its last one.',
  ),
  TrainingRefused: stops(
    'SageMaker, or the stack on this machine, refuses the training job',
    'Follow the remedy in the message, then rerun.',
  ),
  TrainingStopped: mistake(
    'the training job was stopped before it left a model',
    'Correct what the message names, or have the script save its model earlier, then rerun: it continues from its ' +
      'checkpoints, if there are any.',
  ),
  StoredByEarlierBuild: stops(
    'an earlier build of inferdrop stored a file that the run reads',
    'Have the run made again by this build: inferdrop rerun, or drop the files again.',
  ),
  SourceChanged: mistake(
    'a file of the source folder was replaced between the plan of a training and its start',
    'Rerun the training when the source is complete.',
  ),
  AccessDenied: final,
  /** A serverless endpoint cannot become an endpoint of instances, nor the reverse. */
  EndpointKindDiffers: mistaken,
  /** An endpoint of the expected name is not this application's. */
  EndpointNameTaken: final,
  EndpointNotPlanned: mistaken,
  ExecutionOver: final,
  /** The requested deployment is of a run with a failed gate. */
  GateNotPassed: mistaken,
  /** An alarm of `endpoint.rollbackAlarms` rings before an update, or is not there. */
  RollbackAlarmUnready: mistaken,
  IncompleteAnswer: final,
  InvalidStepInput: final,
  InvalidStepOutput: final,
  /** A transform or training job of the expected name belongs to another application. */
  JobNameTaken: final,
  LabelFileUnreadable: mistaken,
  MissingConfiguration: final,
  /** The archive was replaced after the plan, in a bucket without versions. */
  ModelChanged: mistaken,
  /** A promoted model would lie where its pipeline does not look. */
  ModelElsewhere: final,
  /** A SageMaker model of the expected name serves another archive. */
  ModelNameTaken: final,
  NoSuchKey: final,
  NotFound: final,
  ObjectTooLarge: final,
  RunFileMissing: final,
  SliceMissing: final,
  TallyMissing: final,
  TrainingJobMissing: final,
  TransformJobMissing: final,

  /** Ways that runs end without an error of a step: `cancel` and the report state them. */
  Canceled: {
    fate: 'elsewhere',
    fault: 'user',
    meaning: '`inferdrop cancel` was called',
    next: 'Rerun it if it is needed after all.',
  },
  ErrorRateExceeded: {
    fate: 'elsewhere',
    fault: 'user',
    meaning: 'more inputs failed than `gate.maxErrorRate` allows; the execution says `RunFailed`',
    next: 'Read errors.csv for the reason of each input, correct it, then rerun.',
  },

  EndpointAsleep: elsewhere,
  EndpointMissing: elsewhere,
  ExecutionTooSlow: elsewhere,
  GenerationUndecided: elsewhere,
  InvalidHttpEvent: elsewhere,
  InvocationAborted: elsewhere,
  ModelNotReady: elsewhere,
  NothingToContinue: elsewhere,
  NothingToProbe: elsewhere,
  NothingToRerun: elsewhere,
  NothingToRescore: elsewhere,
  NothingToReview: elsewhere,
  ReviewRefused: elsewhere,
  LabelsNotReplaced: elsewhere,
  OutputError: elsewhere,
  PredictionsExpired: elsewhere,
  ReplayRefused: elsewhere,
  ResourceInUse: elsewhere,
  ResourceMissing: elsewhere,
  RunEnded: elsewhere,
  RunUnknown: elsewhere,
  StillRunning: elsewhere,
  TarDamaged: elsewhere,
  TestJobTooSlow: elsewhere,
  VariantUnknown: elsewhere,
  XmlUnreadable: elsewhere,
  VerificationInterrupted: elsewhere,
} as const satisfies Readonly<Record<string, Kind>>;

/** A name of the table. */
export type ConditionName = keyof typeof CONDITIONS;

/** An error that state machines and callers match by its name. */
export class Condition extends Error {
  override readonly name: ConditionName;

  constructor(name: ConditionName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = name;
  }
}

/** Whether an error is one of these conditions, even if it has crossed a Lambda's border as JSON. */
export function isCondition(error: unknown, ...names: readonly ConditionName[]): error is Error {
  return error instanceof Error && names.some((name) => name === error.name);
}

/** Final name for an execution of a run with too few predictions; its report says which condition it was. */
const TOO_FEW_PREDICTIONS = 'RunFailed';

/** Whether a user's mistake ended an execution with this error. Any other end is the operator's to look at. */
export function isUsersFault(error: string): boolean {
  const kinds: Readonly<Record<string, Kind>> = CONDITIONS;
  return error === TOO_FEW_PREDICTIONS || (Object.hasOwn(kinds, error) && kinds[error]?.fault === 'user');
}

/** The rows of the operator's table: each condition that stops runs, its meaning, the next step, and whether an alarm goes off. */
export function operatorConditions(): readonly {
  name: string;
  meaning: string;
  next: string;
  rings: boolean;
}[] {
  return Object.entries<Kind>(CONDITIONS).flatMap(([name, { meaning, next, fault }]) =>
    meaning !== undefined && next !== undefined ? [{ name, meaning, next, rings: fault !== 'user' }] : [],
  );
}
