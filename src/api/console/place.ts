/** Where the console works. */
export interface Place {
  /** Whether it is the stack of this machine. */
  readonly local: boolean;
  readonly stage: string;
  readonly region: string;
  readonly apiUrl: string;
}
