import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { LabelTally } from '../../label/label-tally.ts';
import type { LabelSettings } from '../../pipeline/label-settings.ts';
import { resolveClasses } from '../../plan/judge/resolve-labels.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { readManifest } from '../records/manifest.ts';
import { labelsOfFiles } from './labels-of-files.ts';

/**
 * Counts the files of each class in a training's drop, if folders, names or a label file of the drop give it as `labels.truth` says; zeros
 * if they don't.
 */
export async function countClasses(
  store: ObjectStore,
  run: RunParts,
  { classes, truth, numbers }: LabelSettings,
  { sourceBucket, sourcePrefix }: Pick<Frozen, 'sourceBucket' | 'sourcePrefix'>,
): Promise<readonly { readonly name: string; readonly files: number }[]> {
  const text = Array.isArray(classes)
    ? undefined
    : await store.readText(bucketLayout.pipelineFile(run.pipeline, classes.file));
  const { classes: names } = resolveClasses(classes, text, 'pipeline.json');
  const tally = new LabelTally({ classes: names, numbers });
  const keys = (): ReturnType<typeof readManifest> => readManifest(store, bucketLayout.manifest(run));
  const isRead = await labelsOfFiles(
    { truth, classes: names, store: store.in(sourceBucket), prefix: sourcePrefix, keys },
    (label) => tally.label('', label),
  );
  if (!isRead) return [];
  const { reading, tooMany } = tally.finish();
  if (tooMany !== undefined) return [];
  return names.map((name, at) => ({ name, files: 'refusal' in reading ? 0 : (reading.counts[at] ?? 0) }));
}
