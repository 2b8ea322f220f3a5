import { configuredPipelines } from '../app/records/configured-pipelines.ts';
import type { ObjectStore } from '../aws/s3/object-store.ts';
import { nearestName } from '../pipeline/nearest-name.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import { Refusal } from './refusal.ts';

const MAX_NAMED = 20;

/**
 * Checks that a pipeline of this name exists.
 *
 * @throws {Refusal} with the name that may be meant, or those that exist
 */
export async function requireKnownPipeline(
  store: Pick<ObjectStore, 'describe' | 'listFolders'>,
  pipeline: string,
): Promise<void> {
  if ((await store.describe(bucketLayout.pipelineConfig(pipeline))) !== undefined) return;
  const names = await configuredPipelines(store);
  const nearest = nearestName(pipeline, names);
  const others =
    nearest !== undefined
      ? `did you mean ${nearest}?`
      : names.length === 0
        ? 'there are no pipelines yet.'
        : `the pipelines are ${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ', …' : ''}.`;
  throw new Refusal(
    `pipeline ${pipeline} does not exist: ${others} inferdrop pipeline put FOLDER --name ${pipeline} makes one of this name`,
  );
}
