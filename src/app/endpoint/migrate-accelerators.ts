import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { SageMaker } from '../../aws/sagemaker/sagemaker.ts';
import type { Executions } from '../../aws/states/executions.ts';
import { type HourlyPrices, resolveAccelerator } from '../../endpoint/retired-accelerator.ts';
import { liveVariant } from '../../endpoint/served.ts';
import { candidateOf, isOurs } from '../../endpoint/tags.ts';
import { fleetOf } from '../../endpoints/kinds.ts';
import { isAcceleratorImage } from '../../model/image-registry.ts';
import { parsePipelineConfig } from '../../pipeline/parse-config.ts';
import { bucketLayout, folderName } from '../../run/bucket-layout.ts';
import { parseWrittenJson } from '../../text/written-json.ts';
import { servedJson } from '../records/endpoint.ts';
import { writePipelineConfig } from '../records/plan.ts';
import { startEndpointChange } from './start-endpoint-change.ts';

/** A use of Elastic Inference, and its replacement. */
export interface AcceleratorUse {
  readonly kind: 'pipeline' | 'endpoint';
  readonly name: string;
  /** Null if only the container's image is for accelerators. */
  readonly acceleratorType: string | null;
  readonly instanceType: string;
  readonly becomes: string;
  /** The replacement in words, with the difference in price. */
  readonly note: string;
  /** False for endpoints that are not ours, which are shown and never changed. */
  readonly ours: boolean;
  readonly pipeline: string | null;
  /** The run that the endpoint serves. */
  readonly run: string | null;
}

interface MigrateServices {
  readonly store: ObjectStore;
  readonly endpoints: Pick<Endpoints, 'names' | 'describe' | 'describeConfig' | 'tagsOf'>;
  readonly sagemaker: Pick<SageMaker, 'describeModel'>;
  readonly usdPerHour: HourlyPrices;
}

/** Finds every accelerator that a pipeline asks for, and every endpoint of the account with one or with an image for one. */
export async function findAcceleratorUses(
  { store, endpoints, sagemaker, usdPerHour }: MigrateServices,
  to: 'replace' | 'cpu',
): Promise<readonly AcceleratorUse[]> {
  const uses: AcceleratorUse[] = [];
  for await (const folder of store.listFolders(bucketLayout.pipelines())) {
    const pipeline = folderName(folder);
    const text = await store.readText(bucketLayout.pipelineConfig(pipeline));
    const { value } = text === undefined ? {} : toParsed(text);
    if (value === undefined || value.endpoint.acceleratorType === null) continue;
    const { acceleratorType, instanceType } = value.endpoint;
    const moved = resolveAccelerator({ acceleratorType, instanceType, onRetiredAccelerator: to }, usdPerHour);
    const about = { acceleratorType, instanceType, becomes: moved.instanceType, note: moved.note ?? '' };
    uses.push({ kind: 'pipeline', name: pipeline, ...about, ours: true, pipeline, run: null });
  }
  for await (const name of endpoints.names()) {
    const found = await endpoints.describe(name);
    const config = found && (await endpoints.describeConfig(found.configName));
    if (found === undefined || config === undefined) continue;
    for (const { hardware, modelName } of config.variants) {
      const fleet = fleetOf(hardware);
      if (fleet === null) continue;
      const { acceleratorType, instanceType } = fleet;
      const model = await sagemaker.describeModel(modelName);
      if (acceleratorType === null && !isAcceleratorImage(model?.imageUri ?? '')) continue;
      const moved = resolveAccelerator(
        { acceleratorType, instanceType, onRetiredAccelerator: to },
        usdPerHour,
      );
      const tags = await endpoints.tagsOf(found.arn);
      // Deleted before it could be migrated.
      if (candidateOf(tags) !== undefined) continue;
      const pipeline = tags['inferdrop:pipeline'] ?? null;
      const served = pipeline === null ? undefined : await servedJson(pipeline).read(store);
      const live = liveVariant(served);
      uses.push({
        kind: 'endpoint',
        name,
        acceleratorType,
        instanceType,
        becomes: moved.instanceType,
        note: moved.note ?? `its image ${model?.imageUri ?? ''} is for accelerators`,
        ours: isOurs(tags, store.bucket) && live !== undefined,
        pipeline,
        run: live?.run ?? null,
      });
    }
  }
  return uses;
}

/**
 * Carries out a migration: edits the pipeline's file, or deploys the endpoint's run on current hardware, blue/green, with its smoke test.
 * Endpoints that are not ours are left alone.
 */
export async function migrateAccelerator(
  use: AcceleratorUse,
  to: 'replace' | 'cpu',
  {
    store,
    endpointChanges,
    key,
  }: {
    readonly store: ObjectStore;
    readonly endpointChanges: Pick<Executions, 'start'>;
    readonly key: string;
  },
): Promise<{ readonly executionArn: string | null }> {
  if (!use.ours || use.pipeline === null) return { executionArn: null };
  if (use.kind === 'pipeline') {
    const text = await store.readText(bucketLayout.pipelineConfig(use.pipeline));
    if (text !== undefined)
      await writePipelineConfig(store, use.pipeline, withoutAccelerator(text, use.becomes));
    return { executionArn: null };
  }
  if (use.run === null) return { executionArn: null };
  const request = { action: 'deploy', pipeline: use.pipeline, run: use.run, accelerator: to } as const;
  const { arn } = await startEndpointChange(endpointChanges, request, key);
  return { executionArn: arn };
}

/** A pipeline.json that cannot be read is reported by the next run; here it counts as one without an accelerator. */
function toParsed(text: string) {
  const parsed = parsePipelineConfig(text);
  return 'value' in parsed ? { value: parsed.value } : {};
}

/** Edits the one object, and leaves the order of all fields as it is. */
function withoutAccelerator(text: string, instanceType: string): string {
  const config = parseWrittenJson(text);
  if (typeof config !== 'object' || config === null || !('endpoint' in config)) return text;
  const { endpoint } = config;
  if (typeof endpoint !== 'object' || endpoint === null) return text;
  return `${JSON.stringify({ ...config, endpoint: { ...endpoint, instanceType, acceleratorType: null } }, null, 2)}\n`;
}
