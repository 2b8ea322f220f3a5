import { type EndpointChange, isServingTouched } from './change.ts';
import { type EndpointState, isBaking, isUnderWay } from './progress.ts';
import { liveVariant, type Served } from './served.ts';

/** Answer of a step that must be repeated: another execution, or SageMaker, is changing the endpoint. */
export const BUSY = { status: 'busy', waitSeconds: 15 } as const;

/** Answer of a step that must be repeated before long, as when a candidate that has passed its test is being deleted. */
export const SOON = { status: 'busy', waitSeconds: 5 } as const;

/** An endpoint as SageMaker describes it, and whether its tags are this application's. */
interface Found extends EndpointState {
  readonly isOurs: boolean;
}

/** The statuses in which SageMaker takes a change. */
const AT_REST = new Set(['InService', 'Failed', 'OutOfService', 'UpdateRollbackFailed']);

/**
 * Next move of a deployment.
 *
 * - `await`: SageMaker has already been called; the state machine waits for the end
 * - `delete-failed`: it answers no request, and SageMaker updates no failed endpoint
 * - `create`: nothing serves: the model is tested on the endpoint itself
 * - `adopt`: an endpoint of this content is there but untested, since an execution died before its test
 * - `try-candidate`: the model is tested on a candidate next to the serving endpoint
 * - `update`: the candidate has passed its test, so that the traffic moves
 */
type DeployMove =
  'wait' | 'await' | 'delete-failed' | 'create' | 'done' | 'adopt' | 'try-candidate' | 'update';

/** Decides what a deployment of `configName` does next. */
export function nextDeployMove({
  found,
  claimed,
  configName,
  served,
  proof,
}: {
  readonly found: EndpointState | undefined;
  readonly claimed: Pick<EndpointChange, 'requested'>;
  readonly configName: string;
  readonly served: Pick<Served, 'live' | 'variants'> | undefined;
  readonly proof: 'needed' | 'given';
}): DeployMove {
  if (found !== undefined && !AT_REST.has(found.status)) return claimed.requested ? 'await' : 'wait';
  if (claimed.requested && found?.configName === configName) return 'await';
  if (found === undefined) return 'create';
  if (found.status === 'Failed') return 'delete-failed';
  if (found.configName !== configName) return proof === 'needed' ? 'try-candidate' : 'update';
  const live = liveVariant(served);
  return live?.configName === configName ? 'done' : 'adopt';
}

/**
 * Next move of a roll-back.
 *
 * - `ring`: SageMaker still keeps the fleet that served, and goes back to it when the alarm of its update rings
 * - `reached`: SageMaker has nothing to do, or is already doing it
 */
type RollBackMove = 'wait' | 'ring' | 'nothing' | 'reached' | 'delete' | 'restore';

/** Decides how to go back to the configuration that served before a change. */
export function nextRollBackMove({
  found,
  change,
  isCandidateGone,
}: {
  readonly found: Found | undefined;
  readonly change: Pick<
    EndpointChange,
    'requested' | 'inherited' | 'candidateName' | 'configName' | 'previousConfigName'
  >;
  readonly isCandidateGone: boolean;
}): RollBackMove {
  const { candidateName, previousConfigName } = change;
  if (!isCandidateGone) return 'wait';
  // The serving endpoint was not touched while its candidate was tested.
  if (!isServingTouched(change)) return candidateName === null ? 'nothing' : 'reached';
  if (found === undefined) return previousConfigName === null ? 'reached' : 'nothing';
  if (!found.isOurs) return 'nothing';
  if (found.status === 'Deleting') return 'reached';
  // While SageMaker updates, it still describes the previous configuration; which of the two serves is known at the end.
  if (isBaking(found, change.configName)) return 'ring';
  if (isUnderWay(found)) return 'wait';
  if (previousConfigName === null || found.status === 'Failed') return 'delete';
  return found.configName === previousConfigName && found.status === 'InService' ? 'reached' : 'restore';
}

type DeleteMove = 'wait' | 'reached' | 'delete';

/** Decides how to delete an endpoint. */
export function nextDeleteMove(found: EndpointState | undefined, isCandidateGone: boolean): DeleteMove {
  if (!isCandidateGone) return 'wait';
  if (found === undefined || found.status === 'Deleting') return 'reached';
  return isUnderWay(found) ? 'wait' : 'delete';
}
