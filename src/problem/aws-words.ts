/** Sentences of AWS that decide something, for AWS gives no other sign. This file and src/aws are the only ones that read them. */

/** Why SageMaker says a job failed. */
export type JobFailure =
  /** It had no instance: nothing ran, and nothing is billed. */
  | 'capacity'
  /** SageMaker itself failed, which says nothing about the model or the script. */
  | 'service'
  /** The script was killed by signal 9. */
  | 'killed'
  | 'other';

/** Reads a job's `FailureReason`, such as `CapacityError: Unable to provision requested ML compute capacity`. */
export function jobFailure(reason: string | undefined): JobFailure {
  if (reason === undefined) return 'other';
  if (reason.startsWith('CapacityError')) return 'capacity';
  if (reason.startsWith('InternalServerError')) return 'service';
  return /\bexit ?code:? (?:-9|137)\b/i.test(reason) ? 'killed' : 'other';
}

/** Whether a `FailureReason` quotes a script that found the disk full. */
export function isDiskFull(reason = ''): boolean {
  return /\bNo space left on device\b|\bENOSPC\b/i.test(reason);
}

/**
 * Whether waiting cannot help: the quota itself is smaller than the request. SageMaker says `… is 2 Instances, with current
 * utilization of 0 Instances and a request delta of 4 Instances`.
 */
export function isQuotaTooSmall(message: string): boolean {
  const [, quota] = /is (\d+) Instances?\b/.exec(message) ?? [];
  const [, delta] = / request delta of (\d+)/.exec(message) ?? [];
  return quota !== undefined && delta !== undefined && Number(quota) < Number(delta);
}

/**
 * Whether a request was refused only because the region lacks the instance type: SageMaker validates against the region's own
 * enumeration.
 */
export function isTypeUnknown(message: string): boolean {
  return /^1 validation error detected: .* at '(?:transformResources|resourceConfig)\.instanceType' failed to satisfy constraint: Member must satisfy enum value set/.test(
    message,
  );
}

/**
 * Whether a `ValidationException` tells of missing rights: Application Auto Scaling tries its caller's rights itself, and reports a
 * refusal in this way.
 */
export function isDenial(message: string): boolean {
  return /not authorized|access ?denied|unable to assume|permission/i.test(message);
}
