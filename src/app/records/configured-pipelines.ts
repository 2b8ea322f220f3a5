import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout, folderName } from '../../run/bucket-layout.ts';

/** Names of the pipelines that have a pipeline.json, in the order of their keys: a folder that has lost it keeps its other files. */
export async function configuredPipelines(
  store: Pick<ObjectStore, 'describe' | 'listFolders'>,
): Promise<readonly string[]> {
  const folders = await Array.fromAsync(store.listFolders(bucketLayout.pipelines()), folderName);
  const found = await Promise.all(
    folders.map(async (name) => (await store.describe(bucketLayout.pipelineConfig(name))) !== undefined),
  );
  return folders.filter((_, at) => found[at]);
}
