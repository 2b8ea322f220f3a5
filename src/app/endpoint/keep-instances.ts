import type { EndpointDescription, Endpoints } from '../../aws/sagemaker/endpoints.ts';
import { contentWithInstances } from '../../endpoint/content.ts';
import { instancesOf, isSameButForInstances, startingInstances } from '../../endpoint/instances.ts';
import { fleetOf } from '../../endpoints/kinds.ts';
import type { Deployment } from './ask-for-endpoint.ts';
import { type NamedContent, toNamed } from './endpoint-content.ts';

/**
 * The content that a deployment wants, with as many instances as autoscaling has grown to meanwhile. If the endpoint already serves this
 * content with another number of instances, its own configuration is wanted: autoscaling decides the number.
 */
export async function keepInstances(
  { owner, pipeline, wanted, deployable }: Deployment,
  found: EndpointDescription | undefined,
  endpoints: Pick<Endpoints, 'describeConfig'>,
): Promise<NamedContent> {
  const { content, modelName } = wanted;
  const { hardware, kmsKeyArn } = content;
  const { autoscaling } = deployable.planned;
  const fleet = fleetOf(hardware);
  if (found === undefined || autoscaling === null || fleet === null) return wanted;
  if (found.configName === wanted.configName) return wanted;
  const config = await endpoints.describeConfig(found.configName);
  const [serving] = config?.variants ?? [];
  if (
    config !== undefined &&
    serving !== undefined &&
    isSameButForInstances({ ...serving, kmsKeyArn: config.kmsKeyArn }, { modelName, hardware, kmsKeyArn })
  )
    return { ...wanted, configName: config.name, variantName: serving.variantName };
  const count = startingInstances({
    configured: fleet.initialInstanceCount,
    inService: instancesOf(found),
    autoscaling,
  });
  return toNamed(owner, pipeline, contentWithInstances(content, count));
}
