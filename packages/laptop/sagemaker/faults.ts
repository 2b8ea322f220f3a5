/** Faults that a test or a demonstration brings into training jobs. */
export interface TrainingFaults {
  /**
   * Asked when a training job is created. `throttle` and `limit` refuse the call; the others accept it, and the job fails for want of
   * instances, or of an error of the service.
   */
  training?(jobName: string): TrainingFault | undefined;
  /**
   * Asked whenever the script of a job on spot instances has been started: whether they are taken away.
   *
   * @param earlier how many times it has happened to this job
   */
  interruption?(jobName: string, earlier: number): SpotInterruption | undefined;
}

/** Two refusals of CreateTrainingJob, then two reasons for which an accepted job fails. */
export type TrainingFault = 'throttle' | 'limit' | 'capacity' | 'internal';

/** When the spot instances of a job are taken away, and for how long. */
export interface SpotInterruption {
  /** Milliseconds after the start of the script, or when a checkpoint is in S3. */
  readonly after: number | 'checkpoint';
  /** Until there are other instances. */
  readonly untilCapacityMs: number;
}

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
