import type { EndpointDescription } from '../../aws/sagemaker/endpoints.ts';
import type { EndpointChange } from '../../endpoint/change.ts';
import type { EndpointOwner } from '../../endpoint/names.ts';
import type { BUSY, SOON } from '../../endpoint/next-move.ts';
import type { Served } from '../../endpoint/served.ts';
import type { EndpointKindName } from '../../endpoints/kind.ts';
import type { Deployment, DeploymentServices, Started } from './ask-for-endpoint.ts';
import type { ChangeServices } from './lock-change.ts';

/** A deployment, and what it finds. */
export interface AskedDeployment {
  readonly found: EndpointDescription | undefined;
  readonly served: Served | undefined;
  readonly deployment: Deployment;
  /** Whether the model must still be tested on a candidate next to the serving endpoint. */
  readonly proof: 'needed' | 'given';
}

/** Answer of a step that must be repeated. */
type Waiting = typeof BUSY | typeof SOON;

/** The endpoint with the configuration, or the inference component, that serves again. */
export interface RolledBack {
  readonly status: 'started';
  readonly endpointName: string;
  readonly configName: string;
}

/** The effects of a kind of endpoint. All are repeated until they are done, and repeating them is harmless. */
export interface Deployer {
  /** Whether an endpoint as SageMaker describes it is of this kind. */
  isOf(found: EndpointDescription): boolean;
  /** Brings the wanted content up, and lets it serve once it has passed its test. */
  deploy(
    claimed: EndpointChange,
    asked: AskedDeployment,
    services: DeploymentServices,
  ): Promise<
    | Started
    | Waiting
    | { readonly status: 'unchanged'; readonly endpointName: string; readonly configName: string }
  >;
  /** Lets serve again what served before a change, and deletes what the change has added. */
  rollBack(
    change: EndpointChange & { readonly previousConfigName: string },
    found: EndpointDescription,
    of: { readonly owner: EndpointOwner; readonly pipeline: string },
    services: ChangeServices,
  ): Promise<RolledBack | Waiting>;
  /** Deletes what an endpoint hosts, without which SageMaker does not delete it; false while something is on its way. */
  remove(endpointName: string, pipeline: string, services: ChangeServices): Promise<boolean>;
}

/** Each kind's effects. */
export type Deployers = Readonly<Record<EndpointKindName, Deployer>>;

/** Services of a state that changes an endpoint as its kind does it. */
export interface DeployerServices extends ChangeServices {
  readonly deployers: Deployers;
}

/** The effects for an endpoint that is there. */
export function deployerOf(deployers: Deployers, found: EndpointDescription): Deployer {
  const deployer = Object.values(deployers).find((one) => one.isOf(found));
  if (deployer === undefined) throw new RangeError(`no kind of endpoint is like ${found.name}`);
  return deployer;
}
