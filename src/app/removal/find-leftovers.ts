import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { RunningWork } from '../../aws/sagemaker/running-work.ts';
import type { SageMaker } from '../../aws/sagemaker/sagemaker.ts';
import { candidateOf, isOurs } from '../../endpoint/tags.ts';
import type { LeftJob, LeftJobsByService } from '../engine/left-jobs.ts';
import { SAGEMAKER_NAMES } from '../engine/sagemaker/sagemaker-left-jobs.ts';
import type { Deployment } from './find-deployment.ts';

/** An endpoint of a deployment. */
export interface LeftEndpoint {
  readonly name: string;
  readonly status: string;
  readonly pipeline: string | undefined;
  /** Whether a model is only tested on it. */
  readonly isCandidate: boolean;
  readonly variants: readonly string[];
  readonly hostsComponents: boolean;
}

/** Everything that a deployment has under way, or has made outside its stack. */
export interface Leftovers {
  readonly executionArns: readonly string[];
  readonly jobs: readonly LeftJob[];
  readonly endpoints: readonly LeftEndpoint[];
  /** Endpoint configurations and models cost nothing. */
  readonly endpointConfigs: readonly string[];
  readonly models: readonly string[];
}

/** Services that find leftovers; they only read. */
export interface FindLeftoversServices {
  readonly running: Pick<RunningWork, 'executions'>;
  readonly jobs: LeftJobsByService;
  readonly endpoints: Pick<
    Endpoints,
    'names' | 'describe' | 'tagsOf' | 'configNames' | 'describeConfig' | 'modelNames'
  >;
  readonly sagemaker: Pick<SageMaker, 'describeModel'>;
}

/** Whether something of a deployment costs money, or is about to. */
export function isAnythingRunning({ executionArns, jobs, endpoints }: Leftovers): boolean {
  return executionArns.length + jobs.length + endpoints.length > 0;
}

/** Finds everything that the removal of a deployment's stack would leave behind. */
export async function findLeftovers(
  deployment: Deployment,
  services: FindLeftoversServices,
): Promise<Leftovers> {
  const { running } = services;
  const executionArns: string[] = [];
  for (const arn of deployment.stateMachineArns) executionArns.push(...(await running.executions(arn)));
  const jobs: LeftJob[] = [];
  for (const find of Object.values(services.jobs)) jobs.push(...(await find(deployment.bucket)));
  return {
    executionArns,
    jobs,
    endpoints: await findEndpoints(deployment, services),
    endpointConfigs: await findConfigs(deployment, services),
    models: await findModels(deployment, services),
  };
}

async function findEndpoints(
  { stackName, bucket }: Deployment,
  { endpoints }: FindLeftoversServices,
): Promise<LeftEndpoint[]> {
  const found: LeftEndpoint[] = [];
  for await (const name of endpoints.names(`${stackName}-`)) {
    const endpoint = await endpoints.describe(name);
    if (endpoint === undefined) continue;
    const tags = await endpoints.tagsOf(endpoint.arn);
    if (!isOurs(tags, bucket)) continue;
    found.push({
      name,
      status: endpoint.status,
      pipeline: tags['inferdrop:pipeline'],
      isCandidate: candidateOf(tags) !== undefined,
      variants: endpoint.variants.map((variant) => variant.name),
      hostsComponents: endpoint.hostsComponents ?? false,
    });
  }
  return found;
}

async function findConfigs(
  { stackName, bucket }: Deployment,
  { endpoints }: FindLeftoversServices,
): Promise<string[]> {
  const found: string[] = [];
  for await (const name of endpoints.configNames(`${stackName}-`)) {
    const config = await endpoints.describeConfig(name);
    if (config && isOurs(await endpoints.tagsOf(config.arn), bucket)) found.push(name);
  }
  return found;
}

async function findModels(
  { roleNames }: Deployment,
  { endpoints, sagemaker }: FindLeftoversServices,
): Promise<string[]> {
  const found: string[] = [];
  for await (const name of endpoints.modelNames(SAGEMAKER_NAMES)) {
    const role = (await sagemaker.describeModel(name))?.roleArn.split('/').at(-1);
    if (role !== undefined && roleNames.includes(role)) found.push(name);
  }
  return found;
}
