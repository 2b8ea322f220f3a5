import * as z from 'zod';
import type { RollbackAlarms } from '../../aws/account/rollback-alarms.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { ComponentScaling } from '../../aws/sagemaker/component-scaling.ts';
import type { InferenceComponents } from '../../aws/sagemaker/components.ts';
import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { SageMaker } from '../../aws/sagemaker/sagemaker.ts';
import type { Scaling } from '../../aws/sagemaker/scaling.ts';
import { type EndpointOwner, toDisagreementAlarm, toEndpointName, toNameStem } from '../../endpoint/names.ts';
import { liveVariant } from '../../endpoint/served.ts';
import { isOurs } from '../../endpoint/tags.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { HOUR_MS } from '../../text/milliseconds.ts';
import { changeJson, releaseChange, servedJson } from '../records/endpoint.ts';
import { useCase } from '../use-case.ts';
import type { EndpointScope } from './endpoint-scope.ts';
import { untilAfter } from './lock-change.ts';
import { keepComponent, servingComponent } from './scale-to-zero/keep-component.ts';
import { syncServed } from './sync-served.ts';

interface RemoveUnusedServices {
  readonly endpoints: Endpoints;
  readonly sagemaker: Pick<SageMaker, 'describeModel' | 'deleteModel'>;
}

interface FinishEndpointServices {
  readonly store: ObjectStore;
  readonly sagemaker: Pick<SageMaker, 'describeModel' | 'deleteModel'>;
  readonly endpoints: Endpoints;
  readonly scaling: Scaling;
  readonly components: InferenceComponents;
  readonly componentScaling: ComponentScaling;
  readonly alarms: Pick<RollbackAlarms, 'delete'>;
  /** Resolves after `ms` milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  readonly clock: () => Date;
  readonly scope: EndpointScope;
}

/** Time-out of the function that runs this step. */
export const MAX_FINISH_SECONDS = 300;

/**
 * State `FinishEndpoint`: brings everything around the endpoint in line with the configuration that serves now: its tags and autoscaling,
 * the document that the prediction API reads, and unused configurations and models. Repeating it is harmless.
 */
export const finishEndpoint = useCase({
  /** Sent by state `FinishEndpoint`, and by `FinishUntouched` where SageMaker was not asked for anything. */
  input: z.object({
    pipeline: z.string(),
    executionArn: z.string(),
    outcome: z.enum(['deployed', 'unchanged', 'rolled-back', 'deleted']),
    /** The run that the change was to deploy; null for a deletion that names none. */
    run: RunParts.nullable(),
    /**
     * Whether the lifetime of an endpoint that already serves the run's content restarts now: false if a run of files asks, true if a
     * person does.
     */
    renews: z.boolean().default(true),
  }),
  /** The endpoint after the change, for its message. If it is gone, `hourlyUsd` is the price that it had. */
  output: z.object({
    endpointName: z.string(),
    /** Name of the configuration that serves now; null if nothing does. */
    configName: z.string().nullable(),
    hardware: z.string().nullable(),
    /** The run that deployed what serves now, or restarted its lifetime. */
    deployedBy: z.string().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    hourlyUsd: z.number().nullable(),
    /** With autoscaling, the price of its most instances. */
    maxHourlyUsd: z.number().nullable(),
    /** Hours from the last deployment to now, of an endpoint that is gone. */
    servedHours: z.number().nullable(),
    removed: z.object({ configs: z.int(), models: z.int() }),
    /** Whether the execution had a change to end; without one it has changed nothing. */
    hadChange: z.boolean(),
  }),
})(async (input, services: FinishEndpointServices) => {
  const { store, endpoints, clock, scope } = services;
  const { pipeline, executionArn, outcome, run, renews } = input;
  const owner = { prefix: scope.prefix, bucket: store.bucket };
  const endpointName = toEndpointName(owner, pipeline);
  const [found, before, change] = await Promise.all([
    endpoints.describe(endpointName),
    servedJson(pipeline).read(store),
    changeJson(pipeline).read(store),
  ]);
  const servedHours =
    before === undefined ? null : (clock().getTime() - new Date(before.deployedAt).getTime()) / HOUR_MS;
  // Without a change of ours there is nothing to update, and a configuration that looks unused may belong to a deployment that is
  // beginning.
  const isOurChange = change?.executionArn === executionArn;
  let synced = found === undefined ? undefined : before;
  let removed = { configs: 0, models: 0 };
  if (isOurChange) {
    // Keep the change locked: a roll-back that started now could find its target already deleted as unused.
    const busyUntil = untilAfter(clock(), MAX_FINISH_SECONDS);
    const component = found === undefined ? null : servingComponent(found, outcome, change, before);
    const previousConfigName = component ?? found?.configName ?? null;
    await changeJson(pipeline).write(store, { ...change, previousConfigName, busyUntil });
    synced =
      found === undefined || before === undefined
        ? undefined
        : await syncServed(
            services,
            found,
            before,
            run === null || outcome === 'rolled-back'
              ? null
              : { run, isNew: renews || outcome === 'deployed' },
            new Set(component === null ? found.variants.map(({ name }) => name) : [component]),
          );
    if (found === undefined) await services.alarms.delete(toDisagreementAlarm(endpointName));
    if (synced === undefined) await store.delete(bucketLayout.served(pipeline));
    else await servedJson(pipeline).write(store, synced);
    if (component !== null && found !== undefined) await keepComponent(services, found, component, before);
    removed = await removeUnused(services, owner, pipeline, {
      configName: found?.configName ?? null,
      modelName: liveVariant(synced)?.modelName ?? null,
    });
    await releaseChange(store, pipeline, executionArn);
  }
  const live = liveVariant(synced);
  return {
    endpointName,
    configName: found?.configName ?? null,
    hardware: live?.hardware ?? null,
    deployedBy: live?.deployedBy ?? null,
    expiresAt: synced?.expiresAt ?? null,
    hourlyUsd: (synced ?? before)?.hourlyUsd ?? null,
    maxHourlyUsd: (synced ?? before)?.maxHourlyUsd ?? null,
    servedHours: found === undefined ? servedHours : null,
    removed,
    hadChange: isOurChange,
  };
});

/** Deletes unused configurations and models of the pipeline's endpoint, recognized by their tags. */
async function removeUnused(
  { endpoints, sagemaker }: RemoveUnusedServices,
  owner: EndpointOwner,
  pipeline: string,
  live: { readonly configName: string | null; readonly modelName: string | null },
): Promise<{ configs: number; models: number }> {
  const isOf = async (arn: string): Promise<boolean> => {
    const tags = await endpoints.tagsOf(arn);
    return isOurs(tags, owner.bucket) && tags['inferdrop:pipeline'] === pipeline;
  };
  const removed = { configs: 0, models: 0 };
  const used = new Set([live.modelName]);
  const stem = toNameStem(owner, pipeline);
  for await (const name of endpoints.configNames(stem)) {
    const config = await endpoints.describeConfig(name);
    if (config === undefined || !(await isOf(config.arn))) continue;
    if (name === live.configName) {
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
