/** Faults that a test or a demonstration injects. Each is looked up every time, so a fault can pass. */
export interface TransformFaults {
  /**
   * Asked when a job is created. `throttle` and `limit` refuse the call, the others accept it and then:
   * `capacity` fails for want of instances, `nothing` fails without any output, `stopped` is stopped after its first output.
   */
  job?(jobName: string): JobFault | undefined;
  /**
   * Asked once for each object of a job. `poison`: the container's answer to it is an error, as if it could not read the file.
   * `hang`: the container answers when the job is stopped, not before.
   */
  object?(key: string, jobName: string): ObjectFault | undefined;
}

/** Fault of one object of a job. */
export type ObjectFault = 'poison' | 'hang';
/** Fault of a job: refused when it is created (`throttle`, `limit`), or ended while it runs. */
export type JobFault = 'throttle' | 'limit' | 'capacity' | 'nothing' | 'stopped';
