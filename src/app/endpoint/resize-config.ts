import type { EndpointDescription, Endpoints } from '../../aws/sagemaker/endpoints.ts';
import { instancesOf, startingInstances } from '../../endpoint/instances.ts';
import { type EndpointOwner, toResizedConfigName } from '../../endpoint/names.ts';
import type { Served } from '../../endpoint/served.ts';
import { fleetOf, withInstances } from '../../endpoints/kinds.ts';
import { unlessTaken } from './unless-taken.ts';

/**
 * Name of a configuration like the given one that begins with as many instances as are in service, if autoscaling decides the number; it is
 * created if the number differs.
 */
export async function resizeConfig(
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
