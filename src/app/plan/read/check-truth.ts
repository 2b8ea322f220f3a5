import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { Input } from '../../../input/input.ts';
import { keyOfName, shownName } from '../../../input/record-name.ts';
import type { Numbers } from '../../../label/label-check.ts';
import type { LabelRow } from '../../../label/label-row.ts';
import { LabelTally, type TalliedLabels } from '../../../label/label-tally.ts';
import {
  toPlainPattern,
  truthByFolder,
  truthByPattern,
  type TruthInKey,
} from '../../../label/truth-in-key.ts';
import type { TruthSource } from '../../../pipeline/label-settings.ts';
import type { FoundLabelFile } from '../../../plan/found.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { listInputs } from '../../records/current-inputs.ts';
import { readAllInputs } from '../../records/inputs.ts';
import { type LabelInOrder, labelsInOrder } from './draw.ts';
import { LabelJoin } from './join-labels.ts';
import { mergedLabels } from './merged-labels.ts';

/** Cap on the keys that are matched by a pattern that only RE2 takes: at up to milliseconds a key, these take about a minute. */
export const MAX_RE2_KEYS = 20_000;

/** Where the labels of a run are, and its inputs. */
interface TruthSources {
  readonly truth: TruthSource;
  readonly classes: readonly string[];
  readonly numbers: Numbers | null;
  readonly input: { readonly bucket: string; readonly prefix: string };
  /** Whether the drop's files were opened, so that inputs are named by their records. */
  readonly isOpened: boolean;
  /** Whether an input is one record, so that an index in the label file only numbers its rows. */
  readonly isOneRecord: boolean;
  /** Further columns of the label file that are kept with the labels. */
  readonly columns: readonly string[];
  /** Called for each row of the label file that belongs to an input. */
  readonly onRow: (row: LabelRow) => void;
}

/** A check in progress; the inputs are passed to it in their order. */
export interface TruthCheck {
  look(entries: readonly Input[]): Promise<void>;
  /** Takes the label of an input of the drop that may not be drawn; undefined if labels don't lie in names or next to inputs. */
  readonly also?: (input: Input) => void;
  /** Opens the labels for a pass over names in their order; undefined if they aren't in names or in a label file. */
  readonly inOrder?: () => LabelInOrder;
  /** The findings; undefined without labels. */
  finish(): Promise<TalliedLabels | undefined>;
}

const NOTHING: TruthCheck = { look: async () => undefined, finish: async () => undefined };

/** Begins to check the labels of the inputs that a run would predict, before any cost. */
export function checkTruth(
  store: ObjectStore,
  run: RunParts,
  sources: TruthSources,
  labelFile: Omit<FoundLabelFile, 'source'> | null,
): TruthCheck {
  const { truth, input, classes } = sources;
  const keyOf = keyOfName(sources.isOpened);
  const inKeys =
    (truthOf: TruthInKey): TruthInKey =>
    (name) =>
      truthOf(keyOf(name));
  // In a table with a column for each class, the title is the name.
  const tally = new LabelTally(
    { classes, numbers: labelFile?.isOneHot === true ? 'names' : sources.numbers },
    shownName(sources.isOpened),
  );
  const finish: TruthCheck['finish'] = async () => tally.finish();
  switch (truth?.from) {
    case undefined:
      return NOTHING;
    case 'file':
      if (labelFile === null || labelFile.problems.length > 0) return NOTHING;
      return checkFile(store, run, sources, labelFile, tally);
    case 'member':
    case 'column':
    case 'record':
      return {
        ...NOTHING,
        look: async (entries) => {
          for (const { name, label, defect } of entries) if (defect === undefined) take(tally, name, label);
        },
        also: ({ label }) => {
          if (label !== undefined) tally.also(label);
        },
        inOrder: () => labelsInOrder(labelsBeside(store, run)),
        finish,
      };
    case 'folder':
      return { ...NOTHING, ...inNames(inKeys(truthByFolder(input.prefix)), tally, Infinity), finish };
    case 'key': {
      const most = toPlainPattern(truth.pattern) === undefined ? MAX_RE2_KEYS : Infinity;
      return { ...NOTHING, ...inNames(inKeys(truthByPattern(truth.pattern)), tally, most), finish };
    }
  }
}

/** The labels of inputs that have one, in the order of their names. */
async function* labelsBeside(store: ObjectStore, run: RunParts): AsyncGenerator<readonly LabelRow[]> {
  for await (const { name: key, label } of readAllInputs(store, run))
    if (label !== undefined) yield [{ key, label, recordIndex: undefined }];
}

function inNames(
  truthOf: TruthInKey,
  tally: LabelTally,
  most: number,
): Pick<TruthCheck, 'look' | 'also' | 'inOrder'> {
  const look = lookAtKeys(truthOf, tally, most);
  if (most !== Infinity) return { look };
  const also: TruthCheck['also'] = ({ name }) => {
    const label = truthOf(name);
    if (label !== undefined) tally.also(label);
  };
  return { look, also, inOrder: () => truthOf };
}

function lookAtKeys(truthOf: TruthInKey, tally: LabelTally, most: number): TruthCheck['look'] {
  let looked = 0;
  return async (entries) => {
    for (const { name, defect } of entries) {
      if (defect !== undefined) continue;
      if (looked === most) {
        tally.leaveRest();
        return;
      }
      looked += 1;
      take(tally, name, truthOf(name));
    }
  };
}

function take(tally: LabelTally, name: string, label: string | undefined): void {
  tally.input(name, label !== undefined);
  if (label !== undefined) tally.label(name, label);
}

function checkFile(
  store: ObjectStore,
  run: RunParts,
  { input, onRow }: TruthSources,
  { parts }: Pick<FoundLabelFile, 'parts'>,
  tally: LabelTally,
): TruthCheck {
  const inputs = store.in(input.bucket);
  const existing = async (keys: readonly string[]): Promise<ReadonlySet<string>> =>
    new Set((await listInputs(inputs, { entries: keys.map((key) => ({ key })) }, input.prefix)).keys());
  const join = new LabelJoin(
    mergedLabels(parts),
    tally,
    { inputs: readAllInputs(store, run), existing },
    onRow,
  );
  return {
    look: (entries) => join.look(entries.map(({ name }) => name)),
    inOrder: () => labelsInOrder(mergedLabels(parts)),
    async finish() {
      await join.finish();
      return tally.finish();
    },
  };
}
