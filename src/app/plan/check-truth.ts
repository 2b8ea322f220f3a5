import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import type { RunParts } from '../../drop/run-id.ts';
import { LabelFileUnreadable, labelRows } from '../../label/label-rows.ts';
import { toPlainPattern } from '../../label/plain-pattern.ts';
import type { TruthLookup } from '../../label/truth-in-file.ts';
import { keyOfRow, TruthTable } from '../../label/truth-in-file.ts';
import { truthByFolder } from '../../label/truth-in-key.ts';
import type { TruthSource } from '../../pipeline/label-settings.ts';
import type { SettledTruth } from '../../plan/settle-truth.ts';
import { settleTruth } from '../../plan/settle-truth.ts';
import { keepDropFile } from '../drop/drop-file.ts';
import { readManifest } from '../run/read-manifest.ts';
import { openRunFile } from '../run/run-file.ts';
import { LabelSplitter } from './split-labels.ts';

/** As many as one Lambda folds. */
const KEYS_LOOKED_AT = 5_000;

/** Where the inputs lie, and what is said of their labels. */
interface TruthSources {
  readonly truth: TruthSource;
  readonly classes: readonly string[];
  /** The file that `labels` comes from. */
  readonly labelsFile: string;
  readonly manifest: string;
  readonly input: { readonly bucket: string; readonly prefix: string };
}

/** What was found, and the keys of the label file that the run is to read and of the index of its sorted parts. */
interface CheckedTruth extends SettledTruth {
  readonly file: string | null;
  readonly index: string | null;
}

const NOTHING: CheckedTruth = { problems: [], notes: [], file: null, index: null };

/**
 * Looks for the labels of a run's first inputs. A label file is kept for the run, since it may be overwritten while the run
 * goes on, and read to its end, since a broken line ends a run that is paid for; so it is sorted on the way.
 */
export async function checkTruth(
  store: ObjectStore,
  run: RunParts,
  sources: TruthSources,
): Promise<CheckedTruth> {
  const { truth, manifest, input } = sources;
  if (truth === null || truth.from === 'record') return NOTHING;
  const keys: string[] = [];
  for await (const { key } of readManifest(store, manifest)) {
    keys.push(key);
    if (keys.length === KEYS_LOOKED_AT) break;
  }
  try {
    if (truth.from !== 'file') {
      const truthOf = inKey(truth, input);
      return truthOf === undefined ? NOTHING : { ...NOTHING, ...settleTruth(keys, truthOf, sources) };
    }
    const file = bucketLayout.labels(run);
    // Where it is not there, the configuration tells.
    if (!(await keepDropFile(store, run, truth.path, file))) return NOTHING;
    // A label of any record will do.
    const table = new TruthTable(keys, true);
    const splitter = new LabelSplitter(store, run);
    for await (const found of labelRows(truth.path, await openRunFile(store, file))) {
      const rows = found.map((row) => ({ ...row, key: keyOfRow(row.key, input) }));
      for (const row of rows) table.add(row);
      await splitter.add(rows);
    }
    const index = await splitter.finish();
    return { ...settleTruth(keys, table.lookUp, sources), file, index };
  } catch (error) {
    if (!(error instanceof LabelFileUnreadable)) throw error;
    const problem = { file: error.file, field: '', value: '', message: error.detail };
    return { ...NOTHING, problems: [problem] };
  }
}

/** Patterns that only RE2 can take are left to folding. */
function inKey(
  truth: { readonly from: 'folder' } | { readonly from: 'key'; readonly pattern: string },
  { prefix }: { readonly prefix: string },
): TruthLookup | undefined {
  if (truth.from === 'folder') return truthByFolder(prefix);
  const plain = toPlainPattern(truth.pattern);
  return plain && ((key) => plain.exec(key)?.[1]);
}
