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
