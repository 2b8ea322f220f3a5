import * as z from 'zod';
import type { EndpointDescription, Endpoints } from '../../aws/endpoints.ts';
import type { ObjectStore } from '../../aws/object-store.ts';
import type { SageMaker } from '../../aws/sagemaker.ts';
import type { Scaling } from '../../aws/scaling.ts';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import { RunId } from '../../drop/run-id.ts';
import { describeHardware, toHardware } from '../../endpoint/content.ts';
import { toEndpointName, toNameStem } from '../../endpoint/names.ts';
import type { Served } from '../../endpoint/served.ts';
import { isOurs, toTags } from '../../endpoint/tags.ts';
import { readChange, readServed, releaseChange, writeServed } from './endpoint-change.ts';
import type { EndpointScope } from './endpoint-scope.ts';
import { requireRun } from '../run/require-run.ts';
import { readPlan } from '../run/run-file.ts';

export const FinishEndpointInput = z.object({
  pipeline: z.string(),
  executionArn: z.string(),
  outcome: z.enum(['deployed', 'unchanged', 'rolled-back', 'deleted']),
  /** The run that was deployed. */
  run: RunId.nullable(),
});
export const FinishEndpointOutput = z.object({
  endpointName: z.string(),
  /** What serves now; null where nothing does. */
  configName: z.string().nullable(),
  hardware: z.string().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  hourlyUsd: z.number().nullable(),
  /** Of the endpoint that is gone, from its last deployment to now. */
  servedHours: z.number().nullable(),
  removed: z.object({ configs: z.int(), models: z.int() }),
});
export type FinishEndpointOutput = z.infer<typeof FinishEndpointOutput>;

export interface FinishEndpointServices {
  readonly store: ObjectStore;
  readonly sagemaker: Pick<SageMaker, 'describeModel' | 'deleteModel'>;
  readonly endpoints: Endpoints;
  readonly scaling: Scaling;
  readonly clock: () => Date;
  readonly scope: EndpointScope;
}

const HOUR_MS = 3_600_000;

/**
 * State `FinishEndpoint`: brings everything around the endpoint in line with what serves now: its tags and autoscaling,
 * what the prediction API reads, and the configurations and models that nothing uses any more. Repeating it is harmless.
 */
export async function finishEndpoint(
  input: z.infer<typeof FinishEndpointInput>,
  services: FinishEndpointServices,
): Promise<FinishEndpointOutput> {
  const { store, endpoints, clock, scope } = services;
  const { pipeline, executionArn, outcome, run } = input;
  const endpointName = toEndpointName({ prefix: scope.prefix, bucket: store.bucket }, pipeline);
  const [found, before, change] = await Promise.all([
    endpoints.describe(endpointName),
    readServed(store, pipeline),
    readChange(store, pipeline),
  ]);
  const servedHours =
    before === undefined ? null : (clock().getTime() - new Date(before.deployedAt).getTime()) / HOUR_MS;
  // Without a change of ours there is nothing to bring in line, and what looks unused may be another's that begins.
  const isOurChange = change?.executionArn === executionArn;
  let settled = found === undefined ? undefined : before;
  let removed = { configs: 0, models: 0 };
  if (isOurChange) {
    settled =
      found === undefined || before === undefined
        ? undefined
        : await settle(services, found, before, outcome === 'rolled-back' ? null : run);
    if (settled === undefined) await store.delete(bucketLayout.served(pipeline));
    else await writeServed(store, settled);
    removed = await removeUnused(services, pipeline, found?.configName ?? null);
    await releaseChange(store, pipeline, executionArn);
  }
  const live = settled === undefined || settled.live === null ? undefined : settled.variants[settled.live];
  return {
    endpointName,
    configName: found?.configName ?? null,
    hardware: live?.hardware ?? null,
    expiresAt: settled?.expiresAt ?? null,
    hourlyUsd: (settled ?? before)?.hourlyUsd ?? null,
    servedHours: found === undefined ? servedHours : null,
    removed,
  };
}

/** Keeps only the variants that serve; after a deployment their settings are those of the run's plan. */
async function settle(
  { store, endpoints, scaling, clock }: FinishEndpointServices,
  found: EndpointDescription,
  before: Served,
  deployed: string | null,
): Promise<Served> {
  const serving = new Set(found.variants.map(({ name }) => name));
  const settings = deployed === null ? before : await settingsOf(store, deployed, before, clock());
  const variants = Object.fromEntries(
    Object.entries(settings.variants).filter(([name]) => serving.has(name)),
  );
  const live = Object.keys(variants)[0] ?? null;
  const served: Served = {
    ...settings,
    status: live === null ? before.status : 'in-service',
    live,
    variants,
  };
  if (live === null) return served;
  const variant = variants[live];
  if (variant !== undefined)
    await endpoints.tag(
      found.arn,
      toTags({
        application: store.bucket,
        pipeline: served.pipeline,
        run: variant.run,
        modelSha256: variant.modelSha256,
        owner: served.owner,
        expiresAt: served.expiresAt,
      }),
    );
  if (served.autoscaling !== null) await scaling.register(found.name, live, served.autoscaling);
  else if (before.autoscaling !== null) await scaling.deregister(found.name, live);
  return served;
}

async function settingsOf(store: ObjectStore, run: string, before: Served, now: Date): Promise<Served> {
  const { endpoint, report, labels } = await readPlan(store, requireRun(run));
  if (endpoint === null) return before;
  const { ttlHours, idleHours, owner, autoscaling, hourlyUsd, initialInstanceCount, type } = endpoint;
  const { classes, classOffset } = labels;
  // Labels are no part of an endpoint's content: where only they changed, the endpoint stays as it is.
  const relabelled = Object.fromEntries(
    Object.entries(before.variants).map(([name, variant]) => [
      name,
      { ...variant, run, classes, classOffset, topK: Math.max(1, ...report.topK) },
    ]),
  );
  const planned = describeHardware(toHardware(endpoint));
  // Off a retired accelerator, the endpoint runs on other hardware than the plan has a price for.
  const isAsPlanned = Object.values(relabelled).some(({ hardware }) => hardware === planned);
  return {
    ...before,
    variants: relabelled,
    deployedAt: now.toISOString(),
    expiresAt: ttlHours === null ? null : new Date(now.getTime() + ttlHours * HOUR_MS).toISOString(),
    // A serverless endpoint costs nothing while it is idle.
    idleHours: type === 'serverless' ? null : idleHours,
    warnedAt: null,
    owner,
    autoscaling: type === 'serverless' ? null : autoscaling,
    hourlyUsd:
      hourlyUsd === null || !isAsPlanned
        ? null
        : Math.round(hourlyUsd * initialInstanceCount * 10_000) / 10_000,
  };
}

/** Deletes configurations and models of the pipeline's endpoint but those in use; tags decide whose they are. */
async function removeUnused(
  { store, endpoints, sagemaker, scope }: FinishEndpointServices,
  pipeline: string,
  liveConfig: string | null,
): Promise<FinishEndpointOutput['removed']> {
  const isOf = async (arn: string): Promise<boolean> => {
    const tags = await endpoints.tagsOf(arn);
    return isOurs(tags, store.bucket) && tags['inferdrop:pipeline'] === pipeline;
  };
  const removed = { configs: 0, models: 0 };
  const used = new Set<string>();
  const stem = toNameStem({ prefix: scope.prefix, bucket: store.bucket }, pipeline);
  for await (const name of endpoints.configNames(stem)) {
    const config = await endpoints.describeConfig(name);
    if (config === undefined || !(await isOf(config.arn))) continue;
    if (name === liveConfig) {
      for (const variant of config.variants) used.add(variant.modelName);
      continue;
    }
    await endpoints.deleteConfig(name);
    removed.configs += 1;
  }
  for await (const name of endpoints.modelNames(stem)) {
    const model = used.has(name) ? undefined : await sagemaker.describeModel(name);
    if (model === undefined || !(await isOf(model.arn))) continue;
    await sagemaker.deleteModel(name);
    removed.models += 1;
  }
  return removed;
}
