import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { dropFileKeys, LABEL_FILE_NAMES } from '../../../drop/drop-key.ts';
import type { TruthSource } from '../../../pipeline/label-settings.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { hasDropFile } from '../../records/drop.ts';

/**
 * Notes label files of the drop that the settings don't read, since the uploader may expect them to be read, and one that is
 * still to come.
 */
export async function noteUnreadLabels(
  store: ObjectStore,
  run: RunParts,
  truth: TruthSource,
): Promise<readonly string[]> {
  const read = truth?.from === 'file' ? truth.path : undefined;
  const others = LABEL_FILE_NAMES.filter((name) => name !== read);
  const [isThere, ...found] = await Promise.all(
    [read, ...others].map(async (name) => name !== undefined && (await hasDropFile(store, run, name))),
  );
  const isMissing = read !== undefined && isThere === false;
  const [place] = dropFileKeys(run, read ?? '');
  const instead = truth === null ? 'null' : `{"from": "${truth.from}"}`;
  return [
    ...(isMissing
      ? [`${read} is not there: predictions without figures. Upload it later to ${place}: no job runs again`]
      : []),
    ...others
      .filter((_, index) => found[index])
      .map((name) =>
        read === undefined
          ? `${name} is not read: labels.truth is ${instead}, and {"from": "file", "path": "${name}"} would read it`
          : `${name} is not read: labels.truth reads ${read}`,
      ),
  ];
}
