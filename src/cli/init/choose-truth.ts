import type { Choice } from '../../init/choice.ts';
import { classesOf, truthsOfNames } from '../../init/truth-of-names.ts';
import { truthByFolder, truthByPattern, type TruthInKey } from '../../label/truth-in-key.ts';
import { named } from '../../table/table-columns.ts';
import { normalTitle } from '../../text/normal-title.ts';
import { Refusal } from '../refusal.ts';
import type { FolderInputs } from './folder-inputs.ts';
import type { FoundTruth } from './found-truth.ts';
import { cellsOf, type Known } from './known.ts';
import { labeledImages, labelsOfFiles, measuredInputs } from './measured-order.ts';
import { truthOfRows } from './truth-of-rows.ts';

/** The truth of the option, or what the files tell. */
export async function chooseTruth(
  known: Known,
  count: number | undefined,
  names: readonly string[] | undefined,
): Promise<FoundTruth> {
  const { options, model, inputs, decide } = known;
  if (inputs === undefined && options.truth === undefined)
    return alone(null, 'no folder was given: no accuracy and no gate until it is set');
  const cells = cellsOf(model);
  const place = /^\$\[(\d{1,6})\]$/.exec(options.truth ?? '')?.[1];
  const ofTruth = place === undefined ? undefined : Number(place);
  const asked = options.label === undefined ? ofTruth : placeOfLabel(options, inputs);
  const isOfRow = asked !== undefined || (options.truth === undefined && cells !== undefined);
  if (inputs?.table !== undefined && (inputs.labelFile === undefined || asked !== undefined) && isOfRow) {
    const classes = count ?? names?.length ?? Number.POSITIVE_INFINITY;
    return truthOfRows(known, inputs.table.rows, { cells, classes, asked });
  }
  const takesImages = model.served === undefined || model.served.requests.kind === 'images';
  const measured = (labels: readonly (string | undefined)[]): FoundTruth['measured'] =>
    inputs?.imageType === undefined || !takesImages
      ? []
      : measuredInputs(labeledImages(inputs, labels), count ?? 2);
  if (options.truth !== undefined) {
    const { value, labels, reason } = truthOfOption(options.truth, inputs);
    return {
      choices: [{ field: 'labels.truth', value, reason }],
      labels: labels.filter((label) => label !== undefined),
      measured: measured(labels),
    };
  }
  if (inputs === undefined) return { choices: [], labels: [], measured: [] };
  const { labelFile } = inputs;
  if (labelFile !== undefined)
    return {
      ...alone(
        { from: 'file', path: labelFile.name },
        `${labelFile.name} lies next to the files: ${labelFile.byFile.size} of ${inputs.files.length} files, ` +
          `${classesOf(labelFile.labels).length} classes`,
      ),
      labels: labelFile.labels,
      measured: measured(labelsOfFiles(inputs, { count, names })),
    };
  const found = truthsOfNames(
    inputs.files.map(({ relative }) => relative),
    { count, names },
  );
  const [first] = found;
  if (first === undefined)
    return alone(
      null,
      inputs.table === undefined
        ? 'neither folders nor names tell a class: no accuracy and no gate'
        : "which column is the class is not known: --label TITLE names it, or --truth '$[0]' the first cell",
    );
  const answer =
    found.length === 1
      ? '1'
      : await decide({
          text: `Where the class of a file is: ${found.map(({ reason }, at) => `${at + 1} ${reason}`).join(', ')}`,
          option: '--truth folder|PATTERN',
          problem: (typed) =>
            found[Number(typed) - 1] === undefined ? `must be 1 to ${found.length}` : undefined,
        });
  const chosen = found[Number(answer) - 1] ?? first;
  const labels = chosen.labels.filter((label) => label !== undefined);
  return {
    ...alone(
      chosen.truth,
      `${chosen.reason}: ${labels.length} of ${inputs.files.length} files, ${classesOf(labels).length} classes`,
    ),
    labels,
    measured: measured(chosen.labels),
  };
}

/** Place of the column that --label names. @throws {Refusal} */
function placeOfLabel(
  { label = '', folder = '' }: Known['options'],
  inputs: FolderInputs | undefined,
): number {
  if (inputs?.table === undefined)
    throw new Refusal(`--label names a column of tables, and ${folder || 'no folder'} holds none`);
  const titles = inputs.table.titles ?? (inputs.table.rows[0] ?? []).map((_, at) => String(at));
  const at = titles.findIndex((title) => normalTitle(title) === normalTitle(label));
  if (at === -1)
    throw new Refusal(
      `--label must be a column of ${inputs.files[0]?.relative ?? ''}, which has ${named(titles)}: is ${label}`,
    );
  return at;
}

/** A place of the truth that gives no label yet. */
function alone(value: unknown, reason: string): FoundTruth {
  return { choices: [{ field: 'labels.truth', value, reason }], labels: [], measured: [] };
}

/** The truth that an option names, with the label that it gives each file. */
export function truthOfOption(
  written: string,
  inputs: FolderInputs | undefined,
): {
  readonly value: Choice['value'];
  readonly labels: readonly (string | undefined)[];
  readonly reason: string;
} {
  const reason = 'as --truth says';
  const labelsBy = (labelOf: TruthInKey): (string | undefined)[] =>
    (inputs?.files ?? []).map(({ relative }) => labelOf(`/${relative}`));
  if (written === 'none') return { value: null, labels: [], reason };
  if (written === 'folder')
    return { value: { from: 'folder' }, labels: labelsBy(truthByFolder('/')), reason };
  if (written.startsWith('$')) return { value: { from: 'record', path: written }, labels: [], reason };
  if (/^labels\.(csv|jsonl)$/.test(written)) {
    const labels = inputs?.labelFile?.name === written ? labelsOfFiles(inputs, { count: undefined }) : [];
    return { value: { from: 'file', path: written }, labels, reason };
  }
  return { value: { from: 'key', pattern: written }, labels: labelsBy(truthByPattern(written)), reason };
}
