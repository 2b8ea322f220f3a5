/** What a test or a demonstration makes go wrong with training jobs. */
export interface TrainingFaults {
  /**
   * Asked when a training job is created. `throttle` and `limit` refuse the call; the others accept it, and the job fails for want of
   * instances, or of an error of the service.
   */
  training?(jobName: string): TrainingFault | undefined;
}

export type TrainingFault = 'throttle' | 'limit' | 'capacity' | 'internal';
