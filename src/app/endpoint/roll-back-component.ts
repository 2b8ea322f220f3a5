import { type EndpointChange, isServingTouched } from '../../endpoint/change.ts';
import { SOON } from '../../endpoint/next-move.ts';
import { servedJson } from '../records/endpoint.ts';
import type { ChangeServices } from './lock-change.ts';
import { endNamedScaling, removeComponents } from './remove-components.ts';

/** Deletes what a deployment has added to an endpoint that scales to zero: its component, and the endpoint where it is new. */
export async function rollBackComponent(
  change: EndpointChange,
  pipeline: string,
  services: ChangeServices,
): Promise<
  | typeof SOON
  | { readonly status: 'nothing' }
  | { readonly status: 'started'; readonly endpointName: string; readonly configName: string | null }
> {
  const { endpointName, previousConfigName: configName } = change;
  if (!isServingTouched(change)) return { status: 'nothing' };
  if (!(await removeComponents(services, endpointName, configName))) return SOON;
  await endNamedScaling(services, await servedJson(pipeline).read(services.store), configName);
  if (configName === null) await services.endpoints.delete(endpointName);
  return { status: 'started', endpointName, configName };
}
