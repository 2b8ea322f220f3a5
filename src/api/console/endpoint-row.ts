/** An endpoint in one line. */
export interface EndpointRow {
  readonly pipeline: string;
  readonly endpoint: string;
  /** SageMaker's word for its state, or `gone`. */
  readonly status: string;
  readonly candidate: string | null;
  /** A change that is under way; null if none is. */
  readonly change: { readonly action: 'deploy' | 'delete'; readonly run: string | null } | null;
  readonly run: string | null;
  /** A newer run of the same model on the same hardware; null if there's none. */
  readonly agrees: string | null;
  readonly hardware: string | null;
  /** Instances in service now; null if it has no instances of its own. */
  readonly instances: number | null;
  /** Whether it costs nothing while it is idle. */
  readonly isPaidByUse: boolean;
  readonly hourlyUsd: number | null;
  readonly maxHourlyUsd: number | null;
  readonly deployedAt: string;
  readonly expiresAt: string | null;
  readonly idleHours: number | null;
}

/** The run of a pipeline that would be deployed, and the price of its endpoint. */
export interface Deployable {
  readonly run: string | null;
  readonly hourlyUsd: number | null;
  readonly ttlHours: number | null;
}
