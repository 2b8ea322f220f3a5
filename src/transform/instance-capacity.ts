/** AWS has no instance of any type that the plan names. */
export class InstanceCapacity extends Error {
  override readonly name = 'InstanceCapacity';

  constructor(instanceTypes: readonly string[], reasons: readonly string[]) {
    super(
      `no instance could be had of ${instanceTypes.join(', ')}: ${reasons.join('; ')}. ` +
        'Name more types in transform.instanceTypes, ask AWS for a higher quota, or run it later with inferdrop rerun',
    );
  }
}

/** Whether a job ended for want of an instance, so that nothing ran and nothing is owed. */
export function isCapacityFailure(failureReason: string | undefined): boolean {
  return failureReason?.startsWith('CapacityError') ?? false;
}
