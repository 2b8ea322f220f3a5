import type { EndpointDescription } from '../../aws/sagemaker/endpoints.ts';
import type { EndpointChange } from '../../endpoint/change.ts';
import type { EndpointOwner } from '../../endpoint/names.ts';
import type { BUSY, SOON } from '../../endpoint/next-move.ts';
import type { ChangeServices } from './lock-change.ts';

/** The endpoint with the configuration, or the inference component, that serves again. */
export interface RolledBack {
  readonly status: 'started';
  readonly endpointName: string;
  readonly configName: string;
}

/**
 * How an endpoint that is there hosts its model, and so how a change of it is undone. All calls are repeated until they are done, and
 * repeating them is harmless.
 */
export interface Hosting {
  /** Whether an endpoint as SageMaker describes it hosts its model so. */
  isOf(found: EndpointDescription): boolean;
  /** Lets serve again what served before a change, and deletes what the change has added. */
  rollBack(
    change: EndpointChange & { readonly previousConfigName: string },
    found: EndpointDescription,
    of: { readonly owner: EndpointOwner; readonly pipeline: string },
    services: ChangeServices,
  ): Promise<RolledBack | typeof BUSY | typeof SOON>;
  /** Deletes what an endpoint hosts, without which SageMaker does not delete it; false while something is on its way. */
  remove(endpointName: string, pipeline: string, services: ChangeServices): Promise<boolean>;
}

/** Services of a state that undoes a change of an endpoint, or deletes it. */
export interface HostingServices extends ChangeServices {
  readonly hostings: readonly Hosting[];
}

/** The one by which an endpoint hosts its model. */
export function hostingOf(hostings: readonly Hosting[], found: EndpointDescription): Hosting {
  const hosting = hostings.find((one) => one.isOf(found));
  if (hosting === undefined) throw new RangeError(`endpoint ${found.name} hosts its model in no known way`);
  return hosting;
}
