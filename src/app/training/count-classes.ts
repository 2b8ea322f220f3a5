import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { type ChooseColumns, decideColumns } from '../../label/label-columns.ts';
import { LabelFileUnreadable, labelRows } from '../../label/label-rows.ts';
import { LabelTally } from '../../label/label-tally.ts';
import { toPlainPattern } from '../../label/plain-pattern.ts';
import { truthByFolder, truthByPattern } from '../../label/truth-in-key.ts';
import type { LabelSettings } from '../../pipeline/label-settings.ts';
import { resolveClasses } from '../../plan/judge/resolve-labels.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { readManifest } from '../records/run.ts';

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
  const count = (label: string | undefined): void => {
    if (label !== undefined) tally.label('', label);
  };
  if (truth?.from === 'file') {
    const file = await store.in(sourceBucket).readStream(`${sourcePrefix}${truth.path}`);
    if (file === undefined) return [];
    try {
      const choose: ChooseColumns = (head) =>
        decideColumns(head, () => false, { classes: names, column: truth.column, fields: [] });
      for await (const rows of labelRows(truth.path, file, { column: truth.column, choose }))
        for (const { label } of rows) count(label);
    } catch (error) {
      // In a training's drop a file of this name may be anything that the script reads.
      if (error instanceof LabelFileUnreadable) return [];
      throw error;
    }
  } else if (
    truth?.from === 'folder' ||
    (truth?.from === 'key' && toPlainPattern(truth.pattern) !== undefined)
  ) {
    const truthOf = truth.from === 'folder' ? truthByFolder(sourcePrefix) : truthByPattern(truth.pattern);
    for await (const { key } of readManifest(store, bucketLayout.manifest(run))) count(truthOf(key));
  }
  const { reading, tooMany } = tally.finish();
  if (tooMany !== undefined) return [];
  return names.map((name, at) => ({ name, files: 'refusal' in reading ? 0 : (reading.counts[at] ?? 0) }));
}
