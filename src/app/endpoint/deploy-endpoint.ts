import * as z from 'zod';
import type { EndpointDescription, Endpoints } from '../../aws/endpoints.ts';
import type { Executions } from '../../aws/executions.ts';
import type { ObjectStore } from '../../aws/object-store.ts';
import type { SageMaker } from '../../aws/sagemaker.ts';
import type { Scaling } from '../../aws/scaling.ts';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import { RunId } from '../../drop/run-id.ts';
import type { EndpointChange } from '../../endpoint/change.ts';
import type { EndpointContent } from '../../endpoint/content.ts';
import { describeHardware, toHardware } from '../../endpoint/content.ts';
import {
  toEndpointConfigName,
  toEndpointModelName,
  toEndpointName,
  toVariantName,
} from '../../endpoint/names.ts';
import type { Served, ServedVariant } from '../../endpoint/served.ts';
import { resolveAccelerator } from '../../endpoint/retired-accelerator.ts';
import { isOurs, toTags } from '../../endpoint/tags.ts';
import { resolveImageUri } from '../../model/image-uri.ts';
import { hasLocalDisks, instanceFamily } from '../../model/instance-type.ts';
import type { Plan, PlannedEndpoint } from '../../plan/plan.ts';
import { claimChange, readServed, writeChange, writeServed } from './endpoint-change.ts';
import type { EndpointScope } from './endpoint-scope.ts';
import { requireRun } from '../run/require-run.ts';
import { readPlan, readRunFile } from '../run/run-file.ts';

export const DeployEndpointInput = z.object({
  run: RunId,
  executionArn: z.string(),
  /** What takes the place of the plan's retired accelerator; null leaves the plan as it is. */
  accelerator: z.enum(['replace', 'cpu']).nullish(),
});
export const DeployEndpointOutput = z.discriminatedUnion('status', [
  /** Another execution changes the endpoint, or SageMaker does. */
  z.object({ status: z.literal('busy'), waitSeconds: z.number() }),
  z.object({ status: z.literal('unchanged'), endpointName: z.string(), configName: z.string() }),
  z.object({
    status: z.literal('started'),
    endpointName: z.string(),
    configName: z.string(),
    previousConfigName: z.string().nullable(),
  }),
]);

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

/** The run cannot be deployed as its pipeline says. */
class EndpointNotPlanned extends Error {
  override readonly name = 'EndpointNotPlanned';
}

/** Whoever asks for a run whose gate failed is refused. */
class GateNotPassed extends Error {
  override readonly name = 'GateNotPassed';
}

/** An endpoint of our name serves something else. */
class EndpointNameTaken extends Error {
  override readonly name = 'EndpointNameTaken';
}

const BUSY_SECONDS = 15;
const Judged = z.object({ gate: z.object({ verdict: z.string(), explanation: z.string() }) });

/**
 * State `DeployEndpoint`: asks SageMaker for an endpoint that serves the model of a run, or for an update of the one there
 * is. What is named by content is reused, so that nothing changes when nothing changed.
 *
 * @throws {EndpointNotPlanned}
 * @throws {GateNotPassed}
 * @throws {EndpointNameTaken}
 */
export async function deployEndpoint(
  input: z.infer<typeof DeployEndpointInput>,
  services: DeployEndpointServices,
): Promise<z.infer<typeof DeployEndpointOutput>> {
  const { store, endpoints, executions, clock, scope } = services;
  const { pipeline } = requireRun(input.run);
  const deployable = await requireDeployable(store, input.run);
  const { plan } = deployable;
  const planned = withoutAccelerator(plan, deployable.planned, input.accelerator ?? null);
  const owner = { prefix: scope.prefix, bucket: store.bucket };
  const content = toContent(plan, planned);
  const endpointName = toEndpointName(owner, pipeline);
  const configName = toEndpointConfigName(owner, pipeline, content);
  const busy = { status: 'busy', waitSeconds: BUSY_SECONDS } as const;

  const claimed = await claimChange(store, executions, pipeline, {
    schema: 1,
    action: 'deploy',
    executionArn: input.executionArn,
    startedAt: clock().toISOString(),
    endpointName,
    configName,
    previousConfigName: null,
    requested: false,
  });
  if (claimed === undefined) return busy;
  const found = await endpoints.describe(endpointName);
  if (found !== undefined) await requireOurs(endpoints, found, store.bucket);
  const started = (change: EndpointChange) => ({
    status: 'started' as const,
    endpointName,
    configName,
    previousConfigName: change.previousConfigName,
  });
  if (found !== undefined && !isSettled(found)) return claimed.requested ? started(claimed) : busy;
  if (claimed.requested && found?.configName === configName) return started(claimed);
  if (found?.status === 'Failed') {
    // It serves nobody, and SageMaker updates no failed endpoint.
    await endpoints.delete(endpointName);
    return busy;
  }
  if (found?.configName === configName) return { status: 'unchanged', endpointName, configName };

  const change = {
    ...claimed,
    configName,
    previousConfigName: found?.configName ?? null,
    requested: true,
  };
  const tags = toTags({
    application: store.bucket,
    pipeline,
    run: input.run,
    modelSha256: plan.model.sha256,
    owner: planned.owner,
    expiresAt: null,
  });
  const modelName = toEndpointModelName(owner, pipeline, content);
  const variantName = toVariantName(content);
  await createModel(services, modelName, content, tags);
  await unlessTaken(
    endpoints.createConfig({
      name: configName,
      variantName,
      modelName,
      hardware: content.hardware,
      kmsKeyArn: content.kmsKeyArn,
      tags,
    }),
  );
  await writeChange(store, pipeline, change);
  const variant = toServedVariant(plan, { run: input.run, configName, modelName, content });
  const before = await readServed(store, pipeline);
  await writeServed(
    store,
    withVariant(found === undefined ? undefined : before, {
      pipeline,
      endpointName,
      variantName,
      variant,
      now: clock(),
    }),
  );
  if (found === undefined) {
    await endpoints.create({ name: endpointName, configName, tags });
  } else {
    // SageMaker refuses another instance type while a policy holds the number of instances.
    if (before !== undefined && before.autoscaling !== null)
      for (const { name } of found.variants) await services.scaling.deregister(endpointName, name);
    await endpoints.update(endpointName, configName, {
      rollbackAlarms: planned.rollbackAlarms,
      guardrails: content.hardware.kind === 'instance' && content.hardware.acceleratorType === null,
    });
  }
  return started(change);
}

async function requireDeployable(
  store: ObjectStore,
  runId: string,
): Promise<{ plan: Plan; planned: PlannedEndpoint }> {
  const run = requireRun(runId);
  const plan = await readPlan(store, run);
  if (plan.endpoint === null)
    throw new EndpointNotPlanned(
      `${runId} has no endpoint in its plan, because its pipeline.json asks for one that cannot be: correct endpoint there, and run inferdrop rerun ${runId}`,
    );
  const { gate } = await readRunFile(store, bucketLayout.reportJson(run), Judged);
  if (gate.verdict === 'failed')
    throw new GateNotPassed(`${runId} must not be served. ${gate.explanation} Deploy a run that passes`);
  return { plan, planned: plan.endpoint };
}

/** The plan's endpoint on hardware of today, with the container for it. */
function withoutAccelerator(
  { model }: Plan,
  planned: PlannedEndpoint,
  accelerator: 'replace' | 'cpu' | null,
): PlannedEndpoint {
  if (accelerator === null || planned.acceleratorType === null) return planned;
  const { instanceType } = resolveAccelerator({ ...planned, onRetiredAccelerator: accelerator });
  const { framework, frameworkVersion: version } = model;
  // A registry's host names its region.
  const region = /\.ecr\.([a-z0-9-]+)\./.exec(planned.imageUri)?.[1];
  const image =
    region === undefined ? undefined : resolveImageUri({ framework, version, instanceType, region });
  if (image !== undefined && 'reason' in image)
    throw new EndpointNotPlanned(`${model.name} cannot be moved off its accelerator: ${image.reason}`);
  // An image of one's own has no other for other hardware.
  return { ...planned, instanceType, acceleratorType: null, imageUri: image?.imageUri ?? planned.imageUri };
}

async function requireOurs(endpoints: Endpoints, found: EndpointDescription, bucket: string): Promise<void> {
  if (isOurs(await endpoints.tagsOf(found.arn), bucket)) return;
  throw new EndpointNameTaken(
    `endpoint ${found.name} lacks the tags of this application, so it is not touched: delete it, and deploy again`,
  );
}

function isSettled({ status }: EndpointDescription): boolean {
  return ['InService', 'Failed', 'OutOfService', 'UpdateRollbackFailed'].includes(status);
}

function toContent(plan: Plan, planned: PlannedEndpoint): EndpointContent {
  const { sha256, environment, executionRoleArn, vpc } = plan.model;
  const withoutKey = planned.type === 'instance' && hasLocalDisks(instanceFamily(planned.instanceType) ?? '');
  return {
    model: { sha256, imageUri: planned.imageUri, environment, executionRoleArn, vpc },
    hardware: toHardware(planned),
    kmsKeyArn: withoutKey || planned.type === 'serverless' ? null : plan.transform.kmsKeyArn,
  };
}

async function createModel(
  { store, sagemaker }: DeployEndpointServices,
  name: string,
  { model }: EndpointContent,
  tags: Readonly<Record<string, string>>,
): Promise<void> {
  if ((await sagemaker.describeModel(name)) !== undefined) return;
  await unlessTaken(
    sagemaker.createModel({
      name,
      roleArn: model.executionRoleArn,
      imageUri: model.imageUri,
      artifactUri: `s3://${store.bucket}/${bucketLayout.model(model.sha256)}`,
      environment: model.environment,
      ...(model.vpc !== null && { vpc: model.vpc }),
      tags,
    }),
  );
}

/** Names come from the content, so what has the name is what was asked for. */
async function unlessTaken(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ResourceInUse') throw error;
  }
}

function toServedVariant(
  plan: Plan,
  about: {
    readonly run: string;
    readonly configName: string;
    readonly modelName: string;
    readonly content: EndpointContent;
  },
): ServedVariant {
  const { labels, transform, report } = plan;
  return {
    run: about.run,
    configName: about.configName,
    modelName: about.modelName,
    modelSha256: plan.model.sha256,
    hardware: describeHardware(about.content.hardware),
    contentType: transform.contentType,
    accept: transform.accept,
    classes: labels.classes,
    classOffset: labels.classOffset,
    topK: Math.max(1, ...report.topK),
  };
}

/** Adds what will serve to what serves, before SageMaker moves any traffic. */
function withVariant(
  before: Served | undefined,
  about: {
    readonly pipeline: string;
    readonly endpointName: string;
    readonly variantName: string;
    readonly variant: ServedVariant;
    readonly now: Date;
  },
): Served {
  const { pipeline, endpointName, variantName, variant, now } = about;
  const served: Served = before ?? {
    schema: 1,
    pipeline,
    endpointName,
    status: 'creating',
    live: null,
    variants: {},
    deployedAt: now.toISOString(),
    expiresAt: null,
    idleHours: null,
    warnedAt: null,
    owner: null,
    autoscaling: null,
    hourlyUsd: null,
  };
  return { ...served, endpointName, variants: { ...served.variants, [variantName]: variant } };
}
