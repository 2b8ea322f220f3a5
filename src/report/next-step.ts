const NEXT_STEPS: Readonly<Record<string, string>> = {
  PlanRefused: 'Correct what the problems name, then drop the files again or rerun this run.',
  ClassCountMismatch:
    'Make labels.classes match the model in pipeline.json, then rerun: the predictions can be used again.',
  TooManyLabels: 'Correct labels in pipeline.json, then rerun.',
  BaselineMissing:
    'Name another run in report.baseline, or none, then rerun: files of the baseline run were removed.',
  InstanceCapacity: 'Rerun later, or add other instance types to transform.instanceTypes.',
  ResourceLimitExceeded:
    'Ask for a higher quota of the instance type in Service Quotas, or name another type, then rerun.',
  NothingPredicted:
    'Read the job’s log in CloudWatch (/aws/sagemaker/TransformJobs); the model answered for no input.',
  OutputLayoutUnexpected:
    'The outputs lie where no input explains them; nothing was scored. Compare predictions/ with manifest.jsonl.',
  ErrorRateExceeded: 'Read errors.csv, mend the inputs or the model, then rerun.',
  Cancelled: 'Rerun it when it is wanted after all.',
};

/** What to do about a run that ended early. */
export function nextStep(error: string): string {
  return NEXT_STEPS[error] ?? 'Read the execution’s history for the step that failed, then rerun.';
}
