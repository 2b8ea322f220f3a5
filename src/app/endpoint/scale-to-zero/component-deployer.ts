import { SOON } from '../../../endpoint/next-move.ts';
import { servedJson } from '../../records/endpoint.ts';
import type { Deployer } from '../deployer.ts';
import { deployComponent } from './deploy-component.ts';
import { endNamedScaling, removeComponents } from './remove-components.ts';

/** Effects for endpoints that scale to zero: their models are inference components, each under a name of its own. */
export const componentDeployer: Deployer = {
  isOf: ({ hostsComponents }) => hostsComponents === true,
  deploy: deployComponent,
  async rollBack({ endpointName, previousConfigName: configName }, _found, { pipeline }, services) {
    if (!(await removeComponents(services, endpointName, configName))) return SOON;
    await endNamedScaling(services, await servedJson(pipeline).read(services.store), configName);
    return { status: 'started', endpointName, configName };
  },
  remove: (endpointName, services) => removeComponents(services, endpointName, null),
};
