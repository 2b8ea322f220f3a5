import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { TruthSource } from '../../../pipeline/label-settings.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { hasDropFile } from '../../records/drop.ts';

const LABEL_FILES = ['labels.csv', 'labels.jsonl'];

/** Notes label files of the drop that the settings do not read, since the uploader may expect them to be read. */
export async function noteUnreadLabels(
  store: ObjectStore,
  run: RunParts,
  truth: TruthSource,
): Promise<readonly string[]> {
  const read = truth?.from === 'file' ? truth.path : undefined;
  const others = LABEL_FILES.filter((name) => name !== read);
  const found = await Promise.all(others.map((name) => hasDropFile(store, run, name)));
  const instead = truth === null ? 'null' : `{"from": "${truth.from}"}`;
  return others
    .filter((_, index) => found[index])
    .map((name) =>
      read === undefined
        ? `${name} is not read: labels.truth is ${instead}, and {"from": "file", "path": "${name}"} would read it`
        : `${name} is not read: labels.truth reads ${read}`,
    );
}
