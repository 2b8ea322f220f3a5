import { SOON } from '../../../endpoint/next-move.ts';
import { servedJson } from '../../records/endpoint.ts';
import type { Hosting } from '../hosting.ts';
import type { ChangeServices } from '../lock-change.ts';
import { endNamedScaling, removeComponents } from './remove-components.ts';

/** Endpoints that scale to zero: their models are inference components, each under a name of its own. */
export const componentHosting: Hosting = {
  isOf: ({ hostsComponents }) => hostsComponents === true,
  async rollBack({ endpointName, previousConfigName: configName }, _found, { pipeline }, services) {
    if (!(await removeAllBut(configName, endpointName, pipeline, services))) return SOON;
    return { status: 'started', endpointName, configName };
  },
  remove: (endpointName, pipeline, services) => removeAllBut(null, endpointName, pipeline, services),
};

/** Deletes components with their scaling; false while one is there. */
async function removeAllBut(
  kept: string | null,
  endpointName: string,
  pipeline: string,
  services: ChangeServices,
): Promise<boolean> {
  if (!(await removeComponents(services, endpointName, kept))) return false;
  await endNamedScaling(services, await servedJson(pipeline).read(services.store), kept);
  return true;
}
