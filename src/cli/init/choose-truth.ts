import type { Choice } from '../../init/choice.ts';
import { classesOf, truthsOfNames } from '../../init/truth-of-names.ts';
import { truthByPattern } from '../../label/truth-in-key.ts';
import type { FolderInputs } from './folder-inputs.ts';
import type { FoundTruth } from './found-truth.ts';
import type { Known } from './known.ts';
import { labelledImages } from './measured-order.ts';
import { truthOfRows } from './truth-of-rows.ts';

/** The truth of the option, or what the files tell. */
export async function chooseTruth(
  known: Known,
  count: number | undefined,
  names: readonly string[] | undefined,
): Promise<FoundTruth> {
  const { options, model, inputs, decide } = known;
  const choice = (value: unknown, reason: string): Choice => ({ field: 'labels.truth', value, reason });
  if (inputs === undefined && options.truth === undefined)
    return {
      choices: [choice(null, 'no folder was given: no accuracy and no gate until it is set')],
      labels: [],
      measured: [],
    };
  const cells = model.served?.requests.kind === 'rows' ? model.served.requests.cells : model.onnx?.cells;
  const asked = /^\$\[(\d{1,6})\]$/.exec(options.truth ?? '')?.[1];
  const isOfRow = asked !== undefined || (options.truth === undefined && cells !== undefined);
  if (inputs?.rows !== undefined && inputs.labelFile === undefined && isOfRow) {
    const classes = count ?? Number.POSITIVE_INFINITY;
    return truthOfRows(known, inputs.rows, {
      cells,
      classes,
      asked: asked === undefined ? undefined : Number(asked),
    });
  }
  if (options.truth !== undefined) return truthOfOption(options.truth, inputs);
  if (inputs === undefined) return { choices: [], labels: [], measured: [] };
  if (inputs.labelFile !== undefined)
    return {
      choices: [
        choice({ from: 'file', path: inputs.labelFile }, `${inputs.labelFile} lies beside the files`),
      ],
      labels: [],
      measured: [],
    };
  const found = truthsOfNames(
    inputs.files.map(({ relative }) => relative),
    { count, names },
  );
  const [first] = found;
  if (first === undefined)
    return {
      choices: [
        choice(
          null,
          inputs.rows === undefined
            ? 'neither folders nor names tell a class: no accuracy and no gate'
            : "which cell of a row is its class is not known: --truth '$[0]' names the first",
        ),
      ],
      labels: [],
      measured: [],
    };
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
  const images = inputs.imageType === undefined ? [] : labelledImages(inputs, count ?? 2, names);
  const labels = chosen.labels.filter((label) => label !== undefined);
  return {
    choices: [
      choice(
        chosen.truth,
        `${chosen.reason}: ${labels.length} of ${inputs.files.length} files, ${classesOf(labels).length} classes`,
      ),
    ],
    labels,
    measured: model.served?.requests.kind === 'images' || model.onnx?.image !== undefined ? images : [],
  };

  function truthOfOption(written: string, given: FolderInputs | undefined): FoundTruth {
    const reason = 'as --truth says';
    if (written === 'none') return { choices: [choice(null, reason)], labels: [], measured: [] };
    if (written === 'folder')
      return { choices: [choice({ from: 'folder' }, reason)], labels: [], measured: [] };
    if (written.startsWith('$'))
      return { choices: [choice({ from: 'record', path: written }, reason)], labels: [], measured: [] };
    if (/^labels\.(csv|jsonl)$/.test(written))
      return { choices: [choice({ from: 'file', path: written }, reason)], labels: [], measured: [] };
    const labelOf = truthByPattern(written);
    const labels = (given?.files ?? []).flatMap(({ relative }) => labelOf(`/${relative}`) ?? []);
    return { choices: [choice({ from: 'key', pattern: written }, reason)], labels, measured: [] };
  }
}
