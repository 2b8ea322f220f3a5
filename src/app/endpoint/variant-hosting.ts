import type { EndpointDescription, Endpoints } from '../../aws/sagemaker/endpoints.ts';
import { instancesOf, startingInstances } from '../../endpoint/instances.ts';
import { type EndpointOwner, toResizedConfigName } from '../../endpoint/names.ts';
import type { Served } from '../../endpoint/served.ts';
import { fleetOf, withInstances } from '../../endpoints/kinds.ts';
import { changeJson, servedJson } from '../records/endpoint.ts';
import type { Hosting, RolledBack } from './hosting.ts';
import { stopScaling } from './own-endpoint.ts';
import { unlessTaken } from './unless-taken.ts';

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

/**
 * Name of a configuration like the given one that begins with as many instances as are in service, if autoscaling decides the number; it is
 * created if the number differs.
 */
async function resizeConfig(
  endpoints: Pick<Endpoints, 'describeConfig' | 'createConfig' | 'tagsOf'>,
  { owner, pipeline }: { readonly owner: EndpointOwner; readonly pipeline: string },
  configName: string,
  found: EndpointDescription,
  served: Pick<Served, 'autoscaling'> | undefined,
): Promise<string> {
  if (served === undefined || served.autoscaling === null) return configName;
  const config = await endpoints.describeConfig(configName);
  const [variant] = config?.variants ?? [];
  const fleet = variant === undefined ? null : fleetOf(variant.hardware);
  if (config === undefined || variant === undefined || fleet === null) return configName;
  const { hardware, variantName, modelName } = variant;
  const configured = fleet.initialInstanceCount;
  const { autoscaling } = served;
  const initialInstanceCount = startingInstances({ configured, inService: instancesOf(found), autoscaling });
  if (initialInstanceCount === configured) return configName;
  const name = toResizedConfigName(owner, pipeline, configName, initialInstanceCount);
  await unlessTaken(
    endpoints.createConfig({
      name,
      variantName,
      modelName,
      hardware: withInstances(hardware, initialInstanceCount),
      kmsKeyArn: config.kmsKeyArn,
      tags: await endpoints.tagsOf(config.arn),
    }),
  );
  return name;
}
