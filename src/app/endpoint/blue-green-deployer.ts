import type { EndpointDescription } from '../../aws/sagemaker/endpoints.ts';
import type { EndpointChange } from '../../endpoint/change.ts';
import { BUSY, nextDeployMove, SOON } from '../../endpoint/next-move.ts';
import type { Served } from '../../endpoint/served.ts';
import { changeJson, servedJson } from '../records/endpoint.ts';
import {
  adoptEndpoint,
  createCandidate,
  createEndpoint,
  type Deployment,
  type DeploymentServices,
  toStarted,
  updateEndpoint,
} from './ask-for-endpoint.ts';
import type { AskedDeployment, Deployer, RolledBack } from './deployer.ts';
import { requireSameKind } from './endpoint-kind.ts';
import { keepInstances } from './keep-instances.ts';
import { stopScaling } from './own-endpoint.ts';
import { resizeConfig } from './resize-config.ts';

/**
 * Effects for endpoints that run the model of their configuration: a new one is tested on a candidate, and the traffic then moves
 * blue/green.
 */
export const blueGreenDeployer: Deployer = {
  isOf: ({ hostsComponents }) => hostsComponents !== true,
  deploy,
  rollBack: restore,
  remove: async () => true,
};

async function deploy(
  claimed: EndpointChange,
  { found, served, deployment: asked, proof }: AskedDeployment,
  services: DeploymentServices,
): ReturnType<Deployer['deploy']> {
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
  const previousConfigName = claimed.inherited
    ? claimed.previousConfigName
    : (claimed.previousConfigName ?? found.configName);
  const change = { ...claimed, configName: wanted.configName, previousConfigName };
  return move === 'try-candidate'
    ? createCandidate(change, deployment, services)
    : updateEndpoint(change, { found, served }, deployment, services);
}

/** Updates the endpoint to the configuration that served before, with no fewer instances than serve now. */
async function restore(
  ...[change, found, { owner, pipeline }, { store, endpoints, scaling }]: Parameters<Deployer['rollBack']>
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
  await endpoints.update(endpointName, configName, { rollbackAlarms: [], guardrails: false });
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
