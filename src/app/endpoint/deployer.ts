import type { EndpointDescription } from '../../aws/sagemaker/endpoints.ts';
import type { EndpointChange } from '../../endpoint/change.ts';
import type { BUSY, SOON } from '../../endpoint/next-move.ts';
import type { Served } from '../../endpoint/served.ts';
import type { EndpointKindName } from '../../endpoints/kind.ts';
import type { Deployment, DeploymentServices, Started } from './ask-for-endpoint.ts';

/** A deployment, and what it finds. */
export interface AskedDeployment {
  readonly found: EndpointDescription | undefined;
  readonly served: Served | undefined;
  readonly deployment: Deployment;
  /** Whether the model must still be tested on a candidate next to the serving endpoint. */
  readonly proof: 'needed' | 'given';
}

/**
 * Brings the wanted content up, and lets it serve once it has passed its test. It is repeated until it is done, and repeating it is
 * harmless.
 */
export type Deployer = (
  claimed: EndpointChange,
  asked: AskedDeployment,
  services: DeploymentServices,
) => Promise<
  | Started
  | typeof BUSY
  | typeof SOON
  | { readonly status: 'unchanged'; readonly endpointName: string; readonly configName: string }
>;

/** How each kind of endpoint is deployed. */
export type Deployers = Readonly<Record<EndpointKindName, Deployer>>;
