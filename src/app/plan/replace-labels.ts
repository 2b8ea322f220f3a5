import { Readable } from 'node:stream';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { LabelFileUnreadable, labelRows } from '../../label/label-rows.ts';
import { Condition } from '../../problem/conditions.ts';
import type { RunParts } from '../../run/run-id.ts';
import { labelColumns } from '../../slice/dimension.ts';
import { findDropFile } from '../records/drop.ts';
import { readConfiguration } from './read-configuration.ts';

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
 * @throws `LabelsNotReplaced` if the configuration reads labels from elsewhere, or the file cannot be read as labels
 */
export async function replaceLabels(
  store: ObjectStore,
  run: RunParts,
  body: Uint8Array,
): Promise<ReplacedLabels> {
  const { config, labelsFile } = await readConfiguration(store, run, []);
  const truth = config?.labels.truth;
  if (truth?.from !== 'file') {
    const is = truth === undefined ? 'cannot be read' : `is ${JSON.stringify(truth)}`;
    throw notReplaced(
      `${labelsFile}: labels.truth must be {"from": "file", "path": …} for a label file to be read, ${is}`,
    );
  }
  try {
    const columns = labelColumns(config?.report.slices ?? []);
    for await (const _rows of labelRows(truth.path, Readable.from([body]), columns));
  } catch (error) {
    if (!(error instanceof LabelFileUnreadable)) throw error;
    throw notReplaced(`the new ${truth.path} ${error.detail}: nothing was replaced`);
  }
  const { key, found } = await findDropFile(store, run, truth.path);
  await store.write(key, body);
  return { key, before: found };
}

function notReplaced(message: string): Condition {
  return new Condition('LabelsNotReplaced', message);
}
