/** What the campaign asks of the adversary in the stack's process. */
export type Fault =
  /** SIGKILL before the n-th write to the disk from now. */
  | { readonly kind: 'kill-at-write'; readonly writes: number }
  /** The next calls fail: the disk is full, or no descriptor is left. */
  | { readonly kind: 'refuse'; readonly code: 'ENOSPC' | 'EMFILE'; readonly calls: number }
  | { readonly kind: 'clock'; readonly offsetMs: number }
  /** Shares of the requests to S3 that fail, and of those to SageMaker that are throttled. */
  | { readonly kind: 'network'; readonly rate: number; readonly throttle: number; readonly seed: number }
  /** Asks what was injected so far. */
  | { readonly kind: 'tell' };

/** Faults by kind. */
export type Injected = Record<string, number>;
