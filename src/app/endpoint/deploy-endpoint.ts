import * as z from 'zod';
import type { EndpointDescription, Endpoints } from '../../aws/endpoints.ts';
import type { Executions } from '../../aws/executions.ts';
import type { ObjectStore } from '../../aws/object-store.ts';
import type { SageMaker } from '../../aws/sagemaker.ts';
import type { Scaling } from '../../aws/scaling.ts';
import { RunId } from '../../drop/run-id.ts';
import type { EndpointChange } from '../../endpoint/change.ts';
import { toCandidateContent } from '../../endpoint/content.ts';
import type { EndpointOwner } from '../../endpoint/names.ts';
import { toCandidateName, toEndpointName } from '../../endpoint/names.ts';
import type { Served } from '../../endpoint/served.ts';
import type { EndpointTags } from '../../endpoint/tags.ts';
import { toCandidateTags, toTags } from '../../endpoint/tags.ts';
import { requireRun } from '../run/require-run.ts';
import { deleteCandidate, findCandidate } from './candidate.ts';
import type { DeployableRun } from './deployable-run.ts';
import { requireDeployable } from './deployable-run.ts';
import { claimChange, readServed, writeChange, writeServed } from './endpoint-change.ts';
import type { NamedContent } from './endpoint-content.ts';
import { createContent, toContent, toNamed } from './endpoint-content.ts';
import type { EndpointScope } from './endpoint-scope.ts';
import { describeOwn } from './own-endpoint.ts';
import { toServedVariant, withVariant } from './served-variant.ts';

export const DeployEndpointInput = z.object({
  run: RunId,
  executionArn: z.string(),
  /** What takes the place of the plan's retired accelerator; null leaves the plan as it is. */
  accelerator: z.enum(['replace', 'cpu']).nullish(),
  /**
   * Whether the model must still be tested beside what serves. An execution that began with the state machine of the release
   * before does not say, and knows no candidates.
   */
  proof: z.enum(['needed', 'given']).default('given'),
});
export const DeployEndpointOutput = z.discriminatedUnion('status', [
  /** Another execution changes the endpoint, or SageMaker does. */
  z.object({ status: z.literal('busy'), waitSeconds: z.number() }),
  z.object({ status: z.literal('unchanged'), endpointName: z.string(), configName: z.string() }),
  z.object({
    status: z.literal('started'),
    /** The endpoint to wait for and to test. */
    endpointName: z.string(),
    configName: z.string(),
    /** Whether it is there for the test alone. */
    isCandidate: z.boolean(),
    previousConfigName: z.string().nullable(),
  }),
]);
type Answer = z.infer<typeof DeployEndpointOutput>;

export interface DeployEndpointServices {
  readonly store: ObjectStore;
  readonly sagemaker: Pick<SageMaker, 'createModel' | 'describeModel'>;
  readonly endpoints: Endpoints;
  readonly scaling: Scaling;
  /** Of the endpoint's own state machine. */
  readonly executions: Pick<Executions, 'describe'>;
  readonly clock: () => Date;
  readonly scope: EndpointScope;
}

const BUSY: Answer = { status: 'busy', waitSeconds: 15 };
/** No execution of the state machine lives longer. */
const CANDIDATE_MS = 6 * 3_600_000;

/**
 * State `DeployEndpoint`: asks SageMaker for an endpoint that serves the model of a run. Where one serves already, the model
 * comes up on a candidate beside it first; called again with the proof that it answers rightly, the candidate goes and what
 * serves is updated. What is named by content is reused, so that nothing changes when nothing changed.
 *
 * @throws `EndpointNotPlanned`, `GateNotPassed`, `EndpointNameTaken`
 */
export async function deployEndpoint(
  input: z.infer<typeof DeployEndpointInput>,
  services: DeployEndpointServices,
): Promise<Answer> {
  const { store, endpoints, executions, clock } = services;
  const { executionArn, proof } = input;
  const deployment = await toDeployment(input, services);
  const { pipeline, endpointName, wanted } = deployment;
  const { configName } = wanted;
  const claimed = await claimChange(store, executions, pipeline, {
    schema: 1,
    action: 'deploy',
    executionArn,
    startedAt: clock().toISOString(),
    run: input.run,
    endpointName,
    configName,
    previousConfigName: null,
    requested: false,
    candidateName: null,
  });
  if (claimed === undefined) return BUSY;
  const found = await describeOwn(endpoints, endpointName, store.bucket);
  if (found !== undefined && !isSettled(found)) return claimed.requested ? toStarted(claimed) : BUSY;
  if (claimed.requested && found?.configName === configName) return toStarted(claimed);
  if (found?.status === 'Failed') {
    // It serves nobody, and SageMaker updates no failed endpoint.
    await endpoints.delete(endpointName);
    return BUSY;
  }
  if (found === undefined) {
    const change = { ...claimed, configName, previousConfigName: null };
    return createEndpoint(change, deployment, services);
  }
  if (found.configName === configName) return { status: 'unchanged', endpointName, configName };
  const previousConfigName = claimed.previousConfigName ?? found.configName;
  const change = { ...claimed, configName, previousConfigName };
  return proof === 'needed'
    ? createCandidate(change, deployment, services)
    : updateEndpoint(change, found, deployment, services);
}

/** What one deployment is about, from the run's plan. */
interface Deployment {
  readonly pipeline: string;
  readonly owner: EndpointOwner;
  readonly endpointName: string;
  readonly deployable: DeployableRun;
  readonly wanted: NamedContent;
  readonly tags: EndpointTags;
}

async function toDeployment(
  { run, accelerator }: z.infer<typeof DeployEndpointInput>,
  { store, scope }: DeployEndpointServices,
): Promise<Deployment> {
  const { pipeline } = requireRun(run);
  const deployable = await requireDeployable(store, run, accelerator ?? null);
  const owner = { prefix: scope.prefix, bucket: store.bucket };
  const { plan, planned } = deployable;
  return {
    pipeline,
    owner,
    endpointName: toEndpointName(owner, pipeline),
    deployable,
    wanted: toNamed(owner, pipeline, toContent(deployable)),
    tags: {
      application: store.bucket,
      pipeline,
      run,
      modelSha256: plan.model.sha256,
      owner: planned.owner,
      expiresAt: null,
    },
  };
}

/** Nothing serves yet, so nothing can be harmed: the model is tested in its place. */
async function createEndpoint(
  change: EndpointChange,
  deployment: Deployment,
  services: DeployEndpointServices,
): Promise<Answer> {
  const { endpointName, wanted, tags } = deployment;
  const { configName } = wanted;
  await createContent(wanted, toTags(tags), services);
  await announce(change, deployment, undefined, services);
  await services.endpoints.create({ name: endpointName, configName, tags: toTags(tags) });
  return toStarted(change);
}

/** Brings the model up in its smallest form beside what serves. */
async function createCandidate(
  change: EndpointChange,
  { pipeline, owner, wanted, tags }: Deployment,
  services: DeployEndpointServices,
): Promise<Answer> {
  const { store, endpoints, clock } = services;
  const { executionArn } = change;
  const name = toCandidateName(owner, pipeline);
  const smallest = toNamed(owner, pipeline, toCandidateContent(wanted.content));
  const { configName } = smallest;
  const started = { ...toStarted(change), endpointName: name, configName, isCandidate: true };
  const found = await findCandidate(endpoints, store.bucket, { name, configName, executionArn });
  if (found === 'leaving') return BUSY;
  if (found === 'ours') return started;
  await createContent(smallest, toTags(tags), services);
  await writeChange(store, pipeline, { ...change, candidateName: name });
  const expiresAt = new Date(clock().getTime() + CANDIDATE_MS).toISOString();
  await endpoints.create({ name, configName, tags: toCandidateTags({ ...tags, expiresAt }, executionArn) });
  return started;
}

/** Moves the traffic blue/green, now that the candidate has been tested and can go. */
async function updateEndpoint(
  change: EndpointChange,
  found: EndpointDescription,
  deployment: Deployment,
  services: DeployEndpointServices,
): Promise<Answer> {
  const { store, endpoints, scaling } = services;
  const { pipeline, owner, endpointName, deployable, wanted, tags } = deployment;
  await deleteCandidate(endpoints, owner, pipeline);
  await createContent(wanted, toTags(tags), services);
  const before = await readServed(store, pipeline);
  await announce(change, deployment, before, services);
  // SageMaker refuses another instance type while a policy holds the number of instances.
  if (before !== undefined && before.autoscaling !== null)
    for (const { name } of found.variants) await scaling.deregister(endpointName, name);
  const { hardware } = wanted.content;
  await endpoints.update(endpointName, wanted.configName, {
    rollbackAlarms: deployable.planned.rollbackAlarms,
    guardrails: hardware.kind === 'instance' && hardware.acceleratorType === null,
  });
  return toStarted(change);
}

/** Writes down, before SageMaker is asked, that it may have been, and what the answers of the new variant mean. */
async function announce(
  change: EndpointChange,
  { pipeline, endpointName, deployable, wanted }: Deployment,
  before: Served | undefined,
  { store, clock }: DeployEndpointServices,
): Promise<void> {
  await writeChange(store, pipeline, { ...change, requested: true });
  const { variantName } = wanted;
  const variant = toServedVariant(deployable.plan, wanted);
  await writeServed(
    store,
    withVariant(before, { pipeline, endpointName, variantName, variant, now: clock() }),
  );
}

function toStarted({ endpointName, configName, previousConfigName }: EndpointChange) {
  return {
    status: 'started' as const,
    endpointName,
    configName: configName ?? '',
    isCandidate: false,
    previousConfigName,
  };
}

function isSettled({ status }: EndpointDescription): boolean {
  return ['InService', 'Failed', 'OutOfService', 'UpdateRollbackFailed'].includes(status);
}
