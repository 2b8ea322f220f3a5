/** The endpoint to check, and its expected state. */
export interface EndpointExpectation {
  /** The configuration that is to serve; null if the endpoint is to be deleted. */
  readonly configName: string | null;
}

/** SageMaker's description of an endpoint. */
export interface EndpointState {
  readonly status: string;
  readonly configName: string;
  readonly failureReason?: string;
  /** The configuration to which an update has moved all traffic, while it keeps the old fleet and watches alarms. */
  readonly bakingConfigName?: string;
}

/** Progress of an endpoint. */
export type EndpointProgress =
  /** `baking`: the configuration has all traffic, and SageMaker can still go back to a fleet that never stopped. */
  | { readonly status: 'waiting' | 'baking'; readonly endpointStatus: string }
  | { readonly status: 'reached' }
  | { readonly status: 'failed'; readonly reason: string };

const UNDER_WAY = new Set(['Creating', 'Updating', 'SystemUpdating', 'RollingBack', 'Deleting']);

/** Whether an endpoint is on its way to another status; SageMaker then refuses to change it, and to delete it. */
export function isUnderWay({ status }: Pick<EndpointState, 'status'>): boolean {
  return UNDER_WAY.has(status);
}

/** Whether a configuration has all traffic of an update that SageMaker has not ended. */
export function isBaking({ status, bakingConfigName }: EndpointState, configName: string | null): boolean {
  return status === 'Updating' && bakingConfigName !== undefined && bakingConfigName === configName;
}

/** Compares SageMaker's description with the expected state; undefined if there is no such endpoint. */
export function judgeProgress(
  { configName }: EndpointExpectation,
  found: EndpointState | undefined,
): EndpointProgress {
  if (found === undefined)
    return configName === null
      ? { status: 'reached' }
      : { status: 'failed', reason: 'the endpoint was deleted meanwhile' };
  if (isUnderWay(found))
    return { status: isBaking(found, configName) ? 'baking' : 'waiting', endpointStatus: found.status };
  const why = found.failureReason === undefined ? '' : `: ${found.failureReason}`;
  if (configName === null)
    return { status: 'failed', reason: `the endpoint is ${found.status}, not deleted${why}` };
  if (found.status !== 'InService')
    return { status: 'failed', reason: `the endpoint is ${found.status}${why}` };
  if (found.configName === configName) return { status: 'reached' };
  return {
    status: 'failed',
    reason: `SageMaker took the update back; ${found.configName} serves${why}`,
  };
}

/** Seconds until the next look: about a quarter of the time waited so far, at most half a minute. */
export function pollSeconds(poll: number): number {
  return Math.min(30, Math.floor(1.25 ** Math.min(poll, 100)));
}
