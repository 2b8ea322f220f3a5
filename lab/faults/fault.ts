/** Requests of the campaign to the adversary in the stack's process. */
export type Fault =
  /** SIGKILL at the n-th write to the disk from now, before or after it. */
  | { readonly kind: 'kill-at-write'; readonly writes: number; readonly after: boolean }
  /** SIGKILL when this place in the code writes next, before or after it. */
  | { readonly kind: 'kill-at-place'; readonly place: string; readonly after: boolean }
  /** SIGKILL for the function that sends the n-th changing request from now, before it takes effect or before it's answered. */
  | { readonly kind: 'kill-caller'; readonly requests: number; readonly after: boolean }
  /** The next calls fail: the disk is full, or no descriptor is left. */
  | { readonly kind: 'refuse'; readonly code: 'ENOSPC' | 'EMFILE'; readonly calls: number }
  /** Shares of the requests to S3 that fail, of those to SageMaker that are throttled, and of both that come late. */
  | {
      readonly kind: 'network';
      readonly rate: number;
      readonly throttle: number;
      readonly delay: number;
      readonly seed: number;
    }
  /** Asks what was injected so far, and which places have written since it was asked last. */
  | { readonly kind: 'tell'; readonly question?: number };

/** Faults by kind. */
export type Injected = Record<string, number>;

/** Answers of the adversary. */
export interface Told {
  /** Number of the question that is answered, before which all faults that were sent have been taken. */
  readonly question?: number | undefined;
  readonly injected: Injected;
  /** Places that wrote since the last answer, as `<file and line> → <kind of data file>`. */
  readonly places: readonly string[];
}

/** No further faults of any kind. */
export const CALM: readonly Fault[] = [
  { kind: 'kill-at-write', writes: Number.MAX_SAFE_INTEGER, after: false },
  { kind: 'kill-at-place', place: '', after: false },
  { kind: 'kill-caller', requests: Number.MAX_SAFE_INTEGER, after: false },
  { kind: 'network', rate: 0, throttle: 0, delay: 0, seed: 0 },
  { kind: 'refuse', code: 'ENOSPC', calls: 0 },
];
