import type { EndpointDescription, Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { EndpointChange } from '../../endpoint/change.ts';
import { contentWithInstances } from '../../endpoint/content.ts';
import { instancesOf, isSameButForInstances, startingInstances } from '../../endpoint/instances.ts';
import { BUSY, nextDeployMove, SOON } from '../../endpoint/next-move.ts';
import type { Served } from '../../endpoint/served.ts';
import { fleetOf } from '../../endpoints/kinds.ts';
import {
  adoptEndpoint,
  createCandidate,
  createEndpoint,
  type Deployment,
  type DeploymentServices,
  toStarted,
  updateEndpoint,
} from './ask-for-endpoint.ts';
import type { AskedDeployment, Deployer } from './deployer.ts';
import { type NamedContent, toNamed } from './endpoint-content.ts';
import { requireSameKind } from './endpoint-kind.ts';
import { requireSilentAlarms } from './rollback-guard.ts';

/**
 * Deploys to an endpoint that runs the model of its configuration: a new one is tested on a candidate, and the traffic then moves
 * blue/green.
 *
 * @throws `EndpointKindDiffers`, `RollbackAlarmUnready`
 */
export async function deployBlueGreen(
  claimed: EndpointChange,
  { found, served, deployment: asked, proof }: AskedDeployment,
  services: DeploymentServices,
): ReturnType<Deployer> {
  const { endpoints } = services;
  const { endpointName } = asked;
  const wanted = await keepInstances(asked, found, endpoints);
  const deployment = { ...asked, wanted };
  // Once SageMaker has been asked, the claimed name counts: the number of instances may have changed since.
  const configName = claimed.requested ? (claimed.configName ?? wanted.configName) : wanted.configName;
  const move = nextDeployMove({ found, claimed, configName, served, proof });
  switch (move) {
    case 'wait':
      return BUSY;
    case 'await':
      return toStarted(claimed);
    case 'delete-failed':
      await endpoints.delete(endpointName);
      return BUSY;
    case 'create':
      return createEndpoint({ ...claimed, configName, previousConfigName: null }, deployment, services);
    case 'done':
      return { status: 'unchanged', endpointName, configName };
    case 'adopt':
      return adoptEndpoint({ ...claimed, configName }, deployment, served, services);
    case 'try-candidate':
    case 'update':
      return (
        (found && (await replaceServing(move, claimed, { found, served, deployment }, services))) ??
        (move === 'update' ? SOON : BUSY)
      );
  }
}

/** Tests the new model next to the serving one, or moves the traffic to it; undefined while a candidate is in the way. */
async function replaceServing(
  move: 'try-candidate' | 'update',
  claimed: EndpointChange,
  {
    found,
    served,
    deployment,
  }: {
    readonly found: EndpointDescription;
    readonly served: Served | undefined;
    readonly deployment: Deployment;
  },
  services: DeploymentServices,
) {
  const { pipeline, wanted } = deployment;
  const { kind } = wanted.content.hardware;
  await requireSameKind(services.endpoints, found, { pipeline, kind });
  await requireSilentAlarms(deployment, services.alarms);
  const previousConfigName = claimed.inherited
    ? claimed.previousConfigName
    : (claimed.previousConfigName ?? found.configName);
  const change = { ...claimed, configName: wanted.configName, previousConfigName };
  return move === 'try-candidate'
    ? createCandidate(change, deployment, services)
    : updateEndpoint(change, { found, served }, deployment, services);
}

/**
 * The content that a deployment wants, with as many instances as autoscaling has grown to meanwhile. If the endpoint already serves this
 * content with another number of instances, its own configuration is wanted: autoscaling decides the number.
 */
async function keepInstances(
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
