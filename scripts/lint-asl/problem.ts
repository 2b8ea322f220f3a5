/** One defect of a state machine. */
export interface Problem {
  /** Absent when it concerns the machine as a whole. */
  readonly state?: string | undefined;
  readonly message: string;
}
