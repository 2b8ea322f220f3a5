import type { InferenceComponents } from '../../../aws/sagemaker/components.ts';
import type { EndpointDescription } from '../../../aws/sagemaker/endpoints.ts';
import type { EndpointChange } from '../../../endpoint/change.ts';
import { toHostConfigName } from '../../../endpoint/names.ts';
import { nextComponentMove } from '../../../endpoint/next-component-move.ts';
import { BUSY, SOON } from '../../../endpoint/next-move.ts';
import { liveVariant, type Served } from '../../../endpoint/served.ts';
import { toTags } from '../../../endpoint/tags.ts';
import { Condition } from '../../../problem/conditions.ts';
import { changeJson } from '../../records/endpoint.ts';
import { announce, type Deployment, type DeploymentServices, toStarted } from '../ask-for-endpoint.ts';
import type { AskedDeployment, Deployer } from '../deployer.ts';
import { createModel } from '../endpoint-content.ts';
import { requireSameKind } from '../endpoint-kind.ts';
import { unlessTaken } from '../unless-taken.ts';

/**
 * Deploys to an endpoint that scales to zero: its models are inference components. The new one comes up next to the serving one,
 * under a name of its own that no caller uses before it has passed its test: it is its own candidate.
 *
 * @throws `EndpointKindDiffers`
 */
export async function deployComponent(
  claimed: EndpointChange,
  { found, served, deployment }: AskedDeployment,
  services: DeploymentServices,
): ReturnType<Deployer> {
  const { components, endpoints } = services;
  const { pipeline, owner, endpointName, wanted } = deployment;
  const { configName: name, modelName, content } = wanted;
  const { hardware } = content;
  if (hardware.kind !== 'scaleToZero') throw new RangeError(`inference components on ${hardware.kind}`);
  const hostConfig = toHostConfigName(owner, pipeline, content);
  if (found?.status === 'InService') await requireHost(found, hostConfig, deployment, services);
  const serving = await stillServed(served, found, components);
  const live = liveVariant(serving)?.component ?? null;
  const previousConfigName = claimed.inherited
    ? claimed.previousConfigName
    : (claimed.previousConfigName ?? live);
  const change = { ...claimed, configName: name, previousConfigName };
  const tags = toTags(deployment.tags);
  const component = found?.status === 'InService' ? await components.describe(name) : undefined;
  switch (
    nextComponentMove({ host: found, component, isClaimed: claimed.requested, isLive: live === name })
  ) {
    case 'wait':
      return claimed.requested ? SOON : BUSY;
    case 'delete-failed':
      await endpoints.delete(endpointName);
      return BUSY;
    case 'create-host':
      await unlessTaken(
        components.createHostConfig({
          name: hostConfig,
          roleArn: content.model.executionRoleArn,
          vpc: content.model.vpc,
          networkIsolation: content.model.networkIsolation ?? false,
          hardware,
          kmsKeyArn: content.kmsKeyArn,
          tags,
        }),
      );
      await changeJson(pipeline).write(services.store, {
        ...change,
        previousConfigName: null,
        requested: true,
      });
      await unlessTaken(endpoints.create({ name: endpointName, configName: hostConfig, tags }));
      return SOON;
    case 'delete-component':
      await components.delete(name);
      return BUSY;
    case 'create-component':
      await createModel(wanted, tags, services);
      await announce(change, deployment, serving, services);
      await unlessTaken(components.create({ name, endpointName, modelName, hardware, tags }));
      return toStarted(change);
    case 'await':
      await announce(change, deployment, serving, services);
      return toStarted(change);
    case 'done':
      return { status: 'unchanged', endpointName, configName: name };
  }
}

/**
 * The document of the serving endpoint. If SageMaker no longer has its component (for example, after a deletion by hand), nothing
 * is live; its name stays, so that the change stops its scaling.
 */
async function stillServed(
  served: Served | undefined,
  found: EndpointDescription | undefined,
  components: Pick<InferenceComponents, 'describe'>,
): Promise<Served | undefined> {
  const live = liveVariant(served)?.component ?? null;
  if (found === undefined || live === null) return found === undefined ? undefined : served;
  if (served === undefined || (await components.describe(live)) !== undefined) return served;
  return { ...served, status: 'creating', live: null };
}

/** Instances, network, role and key belong to the endpoint, which its components share. */
async function requireHost(
  found: EndpointDescription,
  hostConfig: string,
  { pipeline }: Deployment,
  { endpoints }: DeploymentServices,
): Promise<void> {
  await requireSameKind(endpoints, found, { pipeline, kind: 'scaleToZero' });
  if (found.configName === hostConfig) return;
  throw new Condition(
    'EndpointKindDiffers',
    `endpoint ${found.name} scales to zero, and the run asks for other instances, time-outs, network, role or key, ` +
      `which its models share. Delete it with: inferdrop endpoints delete ${pipeline}, and deploy again; nothing ` +
      'answers in between',
  );
}
