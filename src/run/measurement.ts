/** Every metric of the application, with CloudWatch's unit. */
export const METRICS = {
  Runs: 'Count',
  Trainings: 'Count',
  Inputs: 'Count',
  /** Inputs, or records, without a usable prediction. */
  InputErrors: 'Count',
  AccuracyPercent: 'Percent',
  /** 1 for a run that passed its gate, 0 for one that failed it. */
  GatesPassed: 'Count',
  CostUsd: 'None',
  /** Time from the start of the execution to the report. */
  RunSeconds: 'Seconds',
  /** 1 for an execution that failed for a reason that the operator of the stack can remove, 0 for another failure. */
  OperatorFailures: 'Count',
  UserFailures: 'Count',
  EndpointChanges: 'Count',
  PredictionMs: 'Milliseconds',
  /** 1 for a request that the endpoint could not answer, 0 for one that it did. */
  PredictionFailures: 'Count',
  /** 1 for a 503 that belongs to normal work, such as an endpoint that wakes: the alarm on the API's errors leaves it out. */
  PlannedWaits: 'Count',
  /** 1 for a canary's run that did not end well within an hour, 0 for one that did. */
  CanaryFailures: 'Count',
  /** Sweeps that failed at something or ran out of time. */
  IncompleteSweeps: 'Count',
} as const;

type MetricName = keyof typeof METRICS;

/** The measurements of one invocation: values, and the facts that they are counted by. */
export interface Measurement {
  /** Facts, including those by which nothing is counted, such as the run: the log can be searched for them. */
  readonly facts: Readonly<Record<string, string | number | null>>;
  readonly groups: readonly {
    /** Sets of names of facts: each set of their values is a metric of its own, and costs as one, so no set has the run. */
    readonly by: readonly (readonly string[])[];
    /** A value that is null was not measured. */
    readonly values: Readonly<Partial<Record<MetricName, number | null>>>;
  }[];
}
