import { Readable } from 'node:stream';
import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { LabelFileUnreadable, labelRows } from '../../../label/label-rows.ts';
import { resolveClasses } from '../../../plan/judge/resolve-labels.ts';
import { resolveSlices } from '../../../plan/judge/resolve-slices.ts';
import { Condition } from '../../../problem/conditions.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { findDropFile, frozenJson } from '../../records/drop.ts';
import { readConfiguration } from '../open/read-configuration.ts';
import { columnsByInputs } from '../read/label-file.ts';

/** Where a label file went, and what was there before. */
export interface ReplacedLabels {
  readonly key: string;
  /** The former version, which the bucket keeps; undefined if there was none. */
  readonly before:
    { readonly versionId?: string; readonly size: number; readonly lastModified: Date } | undefined;
}

/**
 * Puts a label file in the place where the runs of a drop read theirs.
 *
 * @param over ETag of the file that the new one was made from, null where there was none: another file that was uploaded since is kept
 * @throws `LabelsNotReplaced` if the configuration reads labels from elsewhere, the file cannot be read as labels, or `over` is not there
 */
export async function replaceLabels(
  store: ObjectStore,
  run: RunParts,
  body: Uint8Array,
  over?: string | null,
): Promise<ReplacedLabels> {
  const { config, classesText, labelsFile } = await readConfiguration(store, run, []);
  const truth = config?.labels.truth;
  if (config === undefined || truth?.from !== 'file') {
    const is = truth === undefined ? 'cannot be read' : `is ${JSON.stringify(truth)}`;
    throw notReplaced(
      `${labelsFile}: labels.truth must be {"from": "file", "path": …} for a label file to be read, ${is}`,
    );
  }
  try {
    const { path, column } = truth;
    const fields = resolveSlices(config).columns;
    const { classes } = resolveClasses(config.labels.classes, classesText, labelsFile);
    const { sourceBucket: bucket, sourcePrefix: prefix } = await frozenJson(run).require(store);
    const choose = columnsByInputs(store, run, { bucket, prefix }, { classes, column, fields });
    for await (const _rows of labelRows(path, Readable.from([body]), { fields, column, choose }));
  } catch (error) {
    if (!(error instanceof LabelFileUnreadable)) throw error;
    throw notReplaced(`the new ${truth.path} ${error.detail}: nothing was replaced`);
  }
  const { key, found } = await findDropFile(store, run, truth.path);
  if (over === undefined) await store.write(key, body);
  else {
    const text = new TextDecoder().decode(body);
    const isOver =
      over === null ? await store.createIfAbsent(key, text) : await store.replace(key, text, over);
    if (!isOver)
      throw notReplaced(`${key} has changed since it was read: nothing was replaced, so try again`);
  }
  return { key, before: found };
}

function notReplaced(message: string): Condition {
  return new Condition('LabelsNotReplaced', message);
}
