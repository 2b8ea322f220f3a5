import type { ObjectStore } from '../../aws/object-store.ts';
import type { RunParts } from '../../drop/run-id.ts';
import { LabelFileUnreadable, labelRows } from '../../label/label-rows.ts';
import { toPlainPattern } from '../../label/plain-pattern.ts';
import type { TruthLookup } from '../../label/truth-in-file.ts';
import { lookUpTruth } from '../../label/truth-in-file.ts';
import { truthByFolder } from '../../label/truth-in-key.ts';
import type { TruthSource } from '../../pipeline/label-settings.ts';
import type { SettledTruth } from '../../plan/settle-truth.ts';
import { settleTruth } from '../../plan/settle-truth.ts';
import { openDropFile } from '../drop/drop-file.ts';
import { readManifest } from '../run/read-manifest.ts';

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

const NOTHING: SettledTruth = { problems: [], notes: [] };

/** Looks for the labels of a run's first inputs; a label file is read to its end, since a broken line ends a run that is paid for. */
export async function checkTruth(
  store: ObjectStore,
  run: RunParts,
  sources: TruthSources,
): Promise<SettledTruth> {
  const { truth, manifest, input } = sources;
  if (truth === null || truth.from === 'record') return NOTHING;
  const keys: string[] = [];
  for await (const { key } of readManifest(store, manifest)) {
    keys.push(key);
    if (keys.length === KEYS_LOOKED_AT) break;
  }
  try {
    const truthOf =
      truth.from === 'file' ? await openFile(store, run, truth.path, { keys, input }) : inKey(truth, input);
    return truthOf === undefined ? NOTHING : settleTruth(keys, truthOf, sources);
  } catch (error) {
    if (!(error instanceof LabelFileUnreadable)) throw error;
    return { problems: [{ file: error.file, field: '', value: '', message: error.detail }], notes: [] };
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

/** Undefined where it is not there, which the configuration tells. */
async function openFile(
  store: ObjectStore,
  run: RunParts,
  name: string,
  { keys, input }: { readonly keys: readonly string[]; readonly input: TruthSources['input'] },
): Promise<TruthLookup | undefined> {
  const stream = await openDropFile(store, run, name);
  // A label of any record will do.
  return stream && lookUpTruth(labelRows(name, stream), keys, { ...input, oneRecord: true });
}
