import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { parsePipelineConfig } from '../../pipeline/parse-config.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { bucketLayout, folderName } from '../../run/bucket-layout.ts';

/** Every pipeline.json of the bucket; one with mistakes is skipped, since PlanRun reports them. */
export async function* pipelineConfigs(
  store: ObjectStore,
): AsyncGenerator<{ readonly pipeline: string; readonly config: PipelineConfig }> {
  for await (const folder of store.listFolders(bucketLayout.pipelines())) {
    const pipeline = folderName(folder);
    const text = await store.readText(bucketLayout.pipelineConfig(pipeline));
    const parsed = text === undefined ? undefined : parsePipelineConfig(text);
    if (parsed !== undefined && 'value' in parsed) yield { pipeline, config: parsed.value };
  }
}
