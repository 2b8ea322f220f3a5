import type { RollbackAlarms } from '../../aws/account/rollback-alarms.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { InferenceComponents } from '../../aws/sagemaker/components.ts';
import type { EndpointDescription, Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { SageMaker } from '../../aws/sagemaker/sagemaker.ts';
import type { Scaling } from '../../aws/sagemaker/scaling.ts';
import type { EndpointChange } from '../../endpoint/change.ts';
import { toCandidateContent } from '../../endpoint/content.ts';
import { type EndpointOwner, toCandidateName } from '../../endpoint/names.ts';
import type { Served } from '../../endpoint/served.ts';
import { type EndpointTags, toCandidateTags, toTags } from '../../endpoint/tags.ts';
import { HOUR_MS } from '../../text/milliseconds.ts';
import { changeJson, servedJson } from '../records/endpoint.ts';
import { findCandidate, isCandidateGone } from './candidate.ts';
import type { DeployableRun } from './deployable-run.ts';
import { createContent, type NamedContent, toNamed } from './endpoint-content.ts';
import { stopScaling } from './own-endpoint.ts';
import { hasGuardrails, watchedAlarms } from './rollback-guard.ts';
import { toServedVariant, withVariant } from './served-variant.ts';

/** One deployment, from the run's plan. */
export interface Deployment {
  readonly pipeline: string;
  readonly owner: EndpointOwner;
  readonly endpointName: string;
  readonly deployable: DeployableRun;
  readonly wanted: NamedContent;
  readonly tags: EndpointTags;
}

/** Services that ask SageMaker for an endpoint or a candidate, and that first record the request. */
export interface DeploymentServices {
  readonly store: ObjectStore;
  readonly sagemaker: Pick<SageMaker, 'createModel' | 'describeModel'>;
  readonly endpoints: Endpoints;
  readonly scaling: Scaling;
  readonly components: InferenceComponents;
  readonly alarms: RollbackAlarms;
  readonly clock: () => Date;
}

/** The endpoint that SageMaker was asked for, to be waited for and tested. */
export interface Started {
  readonly status: 'started';
  readonly endpointName: string;
  readonly configName: string;
  /** Whether it exists for the test only. */
  readonly isCandidate: boolean;
  readonly previousConfigName: string | null;
}

/** The state machine's time-out. */
const CANDIDATE_MS = 6 * HOUR_MS;

/** Nothing serves yet: the model is tested on the endpoint itself. */
export async function createEndpoint(
  change: EndpointChange,
  deployment: Deployment,
  services: DeploymentServices,
): Promise<Started> {
  const { endpointName, wanted, tags } = deployment;
  const { configName } = wanted;
  await createContent(wanted, toTags(tags), services);
  await announce(change, deployment, undefined, services);
  await services.endpoints.create({ name: endpointName, configName, tags: toTags(tags) });
  return toStarted(change);
}

/** An untested endpoint of this content, left by an execution that died. It must pass the test as a new one must. */
export async function adoptEndpoint(
  change: EndpointChange,
  deployment: Deployment,
  served: Served | undefined,
  services: DeploymentServices,
): Promise<Started> {
  await announce(change, deployment, served, services);
  return toStarted(change);
}

/** Brings the model up in its smallest form next to the serving endpoint; undefined while another candidate is being deleted. */
export async function createCandidate(
  change: EndpointChange,
  { pipeline, owner, wanted, tags }: Deployment,
  services: DeploymentServices,
): Promise<Started | undefined> {
  const { store, endpoints, clock } = services;
  const { executionArn } = change;
  const name = toCandidateName(owner, pipeline);
  const smallest = toNamed(owner, pipeline, toCandidateContent(wanted.content));
  const { configName } = smallest;
  const started = { ...toStarted(change), endpointName: name, configName, isCandidate: true };
  const found = await findCandidate(endpoints, store.bucket, { name, configName, executionArn });
  if (found === 'leaving') return undefined;
  if (found === 'ours') return started;
  await createContent(smallest, toTags(tags), services);
  await changeJson(pipeline).write(store, { ...change, candidateName: name });
  const expiresAt = new Date(clock().getTime() + CANDIDATE_MS).toISOString();
  await endpoints.create({ name, configName, tags: toCandidateTags({ ...tags, expiresAt }, executionArn) });
  return started;
}

/**
 * Moves the traffic blue/green, now that the candidate has been tested and can go; undefined while it cannot, or while the
 * alarm of an update before rings.
 */
export async function updateEndpoint(
  change: EndpointChange,
  { found, served }: { readonly found: EndpointDescription; readonly served: Served | undefined },
  deployment: Deployment,
  services: DeploymentServices,
): Promise<Started | undefined> {
  const { endpoints, scaling, alarms } = services;
  const { pipeline, owner, endpointName, deployable, wanted, tags } = deployment;
  if (!(await isCandidateGone(endpoints, owner, pipeline))) return undefined;
  const rollbackAlarms = await watchedAlarms(deployment, alarms);
  if (rollbackAlarms === undefined) return undefined;
  await createContent(wanted, toTags(tags), services);
  await announce(change, deployment, served, services);
  await stopScaling(scaling, found, served);
  await endpoints.update(endpointName, wanted.configName, {
    rollbackAlarms,
    bakeSeconds: deployable.planned.bakeSeconds,
    guardrails: hasGuardrails(deployment),
  });
  return toStarted(change);
}

/** Records, before SageMaker is called, that it may have been, and how the new variant's answers are read. */
export async function announce(
  change: EndpointChange,
  { pipeline, endpointName, deployable, wanted }: Deployment,
  before: Served | undefined,
  { store, clock }: Pick<DeploymentServices, 'store' | 'clock'>,
): Promise<void> {
  await changeJson(pipeline).write(store, { ...change, requested: true });
  const { variantName } = wanted;
  const variant = toServedVariant(deployable.plan, wanted);
  await servedJson(pipeline).write(
    store,
    withVariant(before, { pipeline, endpointName, variantName, variant, now: clock() }),
  );
}

/** The endpoint that serves, or will serve, in the form that the state machine waits for. */
export function toStarted({ endpointName, configName, previousConfigName }: EndpointChange): Started {
  return {
    status: 'started',
    endpointName,
    configName: configName ?? '',
    isCandidate: false,
    previousConfigName,
  };
}
