import type { Served } from '../../endpoint/served.ts';
import { changeJson, servedJson } from '../records/endpoint.ts';
import type { Hosting, RolledBack } from './hosting.ts';
import { stopScaling } from './own-endpoint.ts';
import { resizeConfig } from './resize-config.ts';

/** Endpoints that run the model of their configuration. */
export const variantHosting: Hosting = {
  isOf: ({ hostsComponents }) => hostsComponents !== true,
  rollBack: restore,
  remove: async () => true,
};

/** Updates the endpoint to the configuration that served before, with no fewer instances than serve now. */
async function restore(
  ...[change, found, { owner, pipeline }, { store, endpoints, scaling }]: Parameters<Hosting['rollBack']>
): Promise<RolledBack> {
  const { endpointName, previousConfigName } = change;
  const served = await servedJson(pipeline).read(store);
  const configName = await resizeConfig(endpoints, { owner, pipeline }, previousConfigName, found, served);
  // A repeated step must find the configuration that it asked for, and the next deployment the one that was tested.
  if (configName !== previousConfigName) {
    await changeJson(pipeline).write(store, { ...change, previousConfigName: configName });
    if (served !== undefined)
      await servedJson(pipeline).write(store, withConfigName(served, previousConfigName, configName));
  }
  await stopScaling(scaling, found, served);
  await endpoints.update(endpointName, configName, { rollbackAlarms: [], bakeSeconds: 0, guardrails: false });
  return { status: 'started', endpointName, configName };
}

/** Renames the configuration of a variant. */
function withConfigName(served: Served, from: string, configName: string): Served {
  const variants = Object.entries(served.variants).map(([name, variant]) => [
    name,
    variant.configName === from ? { ...variant, configName } : variant,
  ]);
  return { ...served, variants: Object.fromEntries(variants) };
}
