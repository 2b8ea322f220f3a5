import type { LabelReading } from '../../label/label-check.ts';
import { NamedInputs } from '../../label/label-columns.ts';
import { LabelFileUnreadable, type LabelRow } from '../../label/label-row.ts';
import { labelRows } from '../../label/label-rows.ts';
import { LabelTally } from '../../label/label-tally.ts';
import { type ReadingLine, readingLines } from '../../label/reading-text.ts';
import { type InputPlace, keyOfRow, NameForm } from '../../label/truth-in-file.ts';
import { truthByFolder, truthByPattern } from '../../label/truth-in-key.ts';
import type { LabelSettings } from '../../pipeline/label-settings.ts';
import { placeOfTruth } from '../../pipeline/place-of-truth.ts';
import { problemLine } from '../../problem/problem.ts';
import { grouped, plural } from '../../text/figures.ts';
import { toSize } from '../../text/size.ts';
import { judgeLabels } from './judge-labels.ts';

/** Files of a drop that may not be uploaded yet. */
export interface PreviewedFiles {
  /** Keys that they will have. */
  readonly keys: readonly string[];
  /** Number of all files. */
  readonly of: number;
  /** The label file of `labels.truth`, which may be its first bytes only. */
  readonly labelFile: { readonly head: Uint8Array; readonly size: number } | undefined;
  readonly place: InputPlace;
}

interface Previewed {
  readonly lines: readonly ReadingLine[];
  readonly notes: readonly string[];
  readonly problems: readonly string[];
}

/** Line feed. */
const END_OF_LINE = 10;

/** How the labels of files are read, before the files are anywhere; undefined if there are none to read. */
export async function previewLabels(
  labels: Omit<LabelSettings, 'classes'> & { readonly classes: readonly string[] },
  { keys, of, labelFile, place }: PreviewedFiles,
  {
    labelsFile,
    isOneRecord,
    again,
  }: { readonly labelsFile: string; readonly isOneRecord: boolean; readonly again: string },
): Promise<Previewed | undefined> {
  const { truth, classes, numbers } = labels;
  const said = (note: string): Previewed => ({ lines: [], notes: [note], problems: [] });
  if (truth === null) return undefined;
  if (truth.from === 'record' || truth.from === 'member' || truth.from === 'column')
    return said(`They lie in ${placeOfTruth(truth)}: the run says how they are read, before its first job.`);
  let from = placeOfTruth(truth);
  const notes: string[] =
    keys.length < of ? [`Looked at: the first ${grouped(keys.length)} of ${plural(of, 'file')}.`] : [];
  let tally = new LabelTally({ classes, numbers });
  if (truth.from !== 'file') {
    const labelOf = truth.from === 'folder' ? truthByFolder(place.prefix) : truthByPattern(truth.pattern);
    for (const key of keys) {
      const label = labelOf(key);
      tally.input(key, label !== undefined);
      if (label !== undefined) tally.label(key, label);
    }
  } else {
    if (labelFile === undefined)
      return said(
        `${truth.path} is not among the files: they are predicted without figures, and it may come later.`,
      );
    const { head, size } = labelFile;
    const isWhole = head.length === size;
    const read = await readHead(
      labels,
      truth,
      head.subarray(0, isWhole ? size : head.lastIndexOf(END_OF_LINE) + 1),
      { keys, place },
    );
    if ('refusal' in read) return { lines: [], notes, problems: [read.refusal] };
    if (read.isOneHot) tally = new LabelTally({ classes, numbers: 'names' });
    const rows = new Map<string, LabelRow>();
    const known = new Set(keys);
    for (const row of read.rows) {
      const index = isOneRecord ? undefined : row.recordIndex;
      const where = index === undefined ? row.key : `${row.key}, record ${index}`;
      const before = rows.get(where);
      if (!known.has(row.key)) tally.noInput(where);
      else if (before !== undefined && before.label !== row.label)
        tally.conflict(where, before.label, row.label);
      if (!known.has(row.key)) tally.also(row.label);
      else tally.label(where, row.label);
      rows.set(where, row);
    }
    const labeled = new Set(Array.from(rows.values(), ({ key }) => key));
    // The rest of the file may label the others.
    for (const key of keys) if (isWhole || labeled.has(key)) tally.input(key, labeled.has(key));
    from = `${truth.path}, ${read.words}, ${plural(read.rows.length, 'row')}`;
    if (!isWhole)
      notes.push(
        `Looked at: the first ${toSize(head.length)} of ${toSize(size)} of ${truth.path}. The run reads all of it before its first job.`,
      );
  }
  const found = tally.finish();
  const judged = judgeLabels({
    ...found,
    truth,
    labelsFile,
    again,
    isOneRecord,
    strict: false,
    minInputs: undefined,
    minLabeled: null,
    isEarly: false,
    copies: 0,
  });
  const reading: LabelReading | undefined =
    'refusal' in found.reading ? undefined : { ...found.reading, isSet: numbers !== null, from };
  return {
    lines: reading === undefined ? [] : readingLines(reading, found.check, classes),
    notes: [...judged.notes, ...notes],
    problems: judged.problems.map(problemLine),
  };
}

/** Rows of a label file, with the keys of the files that they name. */
async function readHead(
  { classes }: { readonly classes: readonly string[] },
  { path, column }: { readonly path: string; readonly column: string | null },
  head: Uint8Array,
  { keys, place }: Pick<PreviewedFiles, 'keys' | 'place'>,
): Promise<
  | { readonly rows: readonly LabelRow[]; readonly words: string; readonly isOneHot: boolean }
  | { readonly refusal: string }
> {
  const form = new NameForm(place.prefix);
  for (const key of keys) form.add(key);
  let [words, isOneHot] = [`fields "key" and "${column ?? 'label'}"`, false];
  const choose = (first: readonly (readonly string[])[]) => {
    const inputs = new NamedInputs(first, (cell) => keyOfRow(cell, place));
    for (const key of keys) inputs.add(key);
    const chosen = inputs.decide({ classes, column, fields: [] });
    if (!('refusal' in chosen)) [words, isOneHot] = [chosen.words, typeof chosen.label === 'object'];
    return chosen;
  };
  async function* chunks() {
    yield head;
  }
  try {
    const read = (await Array.fromAsync(labelRows(path, chunks(), { column, choose }))).flat();
    return {
      rows: read.map((row) => ({ ...row, key: form.nameOf(keyOfRow(row.key, place)) })),
      words,
      isOneHot,
    };
  } catch (error) {
    if (!(error instanceof LabelFileUnreadable)) throw error;
    return { refusal: error.message };
  }
}
