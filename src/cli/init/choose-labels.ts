import path from 'node:path';
import type { Tensor } from '@inferdrop/savedmodel/servable-model';
import type { Choice } from '../../init/choice.ts';
import { isShown, type MeasuredOrder, orderOfAnswers } from '../../init/class-order.ts';
import { labelColumns } from '../../init/label-column.ts';
import type { Scores } from '../../init/signature-facts.ts';
import { classesOf, truthsOfNames } from '../../init/truth-of-names.ts';
import { truthByPattern } from '../../label/truth-in-key.ts';
import { percent } from '../../text/figures.ts';
import { Refusal } from '../refusal.ts';
import { findClassNames, readClassNames } from './class-names.ts';
import type { FolderInputs } from './folder-inputs.ts';
import { chosenScores, type Known } from './known.ts';
import type { LabelledInput } from './measure-model.ts';
import { labelledImages, orderOf } from './measured-order.ts';

/** Where the truth is, and the labels that it gives. */
interface FoundTruth {
  readonly choices: readonly Choice[];
  /** Labels of the files or rows that were read; empty where they are not known yet. */
  readonly labels: readonly string[];
  readonly measured: readonly LabelledInput[];
}

/** Least labelled inputs of which a gate makes sense. */
const LEAST_FOR_GATE = 100;

/** Chooses classes, truth, scores and gate. */
export async function chooseLabels(known: Known): Promise<readonly Choice[]> {
  const { options, model, inputs, decide, terminal } = known;
  const { served } = model;
  const scores = served && chosenScores(known, served);
  const named = await namedClasses(known, scores?.classes);
  const truth = await chooseTruth(known, scores, named?.names);
  terminal.status('The model answers labelled inputs');
  const order =
    served &&
    scores &&
    (await orderOf(served, scores, truth.measured, named === undefined ? [] : [named.names]));
  for (const sentence of order?.unanswered.slice(0, 3) ?? []) terminal.note(`not answered  ${sentence}`);
  const shown = named && scores && orderOfAnswers(order?.answers ?? [], scores.classes);
  if (shown !== undefined && order?.best !== undefined && isShown([shown, order.best]))
    terminal.note(
      `classes  the model's answers show another order: ${shown.classes.join(', ')}${rightOf(shown)}`,
    );
  const classes = named
    ? { value: named.names, reason: `${named.place}${rightOf(order?.best)}` }
    : await askClasses(known, scores?.classes, truth, order?.best, order?.others ?? []);
  if (scores !== undefined && classes.value.length !== scores.classes)
    throw new Refusal(
      `${options.model} scores ${scores.classes} classes, and ${classes.value.length} are named: name them all with --classes`,
    );
  const gate = await chooseGate(truth.labels.length);
  return [
    { field: 'labels.classes', ...classes },
    ...truth.choices,
    ...(order?.areProbabilities === false
      ? [
          {
            field: 'labels.scores',
            value: 'logits',
            reason: 'its scores for labelled inputs are no probabilities',
          },
        ]
      : []),
    ...(scores?.isSingle === true
      ? [
          {
            field: 'labels.threshold',
            value: 0.5,
            reason: 'it gives one number a record, the probability of the second class',
          },
        ]
      : []),
    ...gate,
  ];

  async function chooseGate(labelled: number): Promise<Choice[]> {
    if (options.minAccuracy === undefined && (labelled < LEAST_FOR_GATE || inputs === undefined)) return [];
    const answer =
      options.minAccuracy ??
      (await decide({
        text: 'Least accuracy that a run must show to pass, as 0.9, or none',
        option: '--min-accuracy SHARE',
        offered: 'none',
        isShown: true,
        problem: (typed) =>
          typed === 'none' || isShare(typed) ? undefined : 'must be a share between 0 and 1, or none',
      }));
    if (answer === 'none') return [];
    if (!isShare(answer)) throw new Refusal(`--min-accuracy ${answer} must be a share between 0 and 1`);
    return [{ field: 'gate.minAccuracy', value: Number(answer), reason: 'as you say' }];
  }
}

function isShare(text: string): boolean {
  return Number(text) > 0 && Number(text) <= 1;
}

function rightOf(order: MeasuredOrder | undefined): string {
  return order === undefined || order.of === 0
    ? ''
    : `; ${order.right} of ${order.of} labelled inputs are right with it (${percent(order.right / order.of)})`;
}

async function namedClasses(
  { options, model }: Known,
  count: number | undefined,
): Promise<{ readonly names: readonly string[]; readonly place: string } | undefined> {
  if (options.classes !== undefined)
    return { names: await readClassNames(options.classes), place: 'as --classes names them' };
  const beside = [...(model.served === undefined ? [] : [model.served.folder]), path.dirname(options.model)];
  const found = await findClassNames(beside, count);
  return found && { names: found.names, place: `in the order of ${found.place}` };
}

/** The truth of the option, or what the files tell. */
async function chooseTruth(
  { options, model, inputs, decide }: Known,
  scores: Scores | undefined,
  names: readonly string[] | undefined,
): Promise<FoundTruth> {
  const choice = (value: unknown, reason: string): Choice => ({ field: 'labels.truth', value, reason });
  if (inputs === undefined && options.truth === undefined)
    return {
      choices: [choice(null, 'no folder was given: no accuracy and no gate until it is set')],
      labels: [],
      measured: [],
    };
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
  if (inputs.rows !== undefined && model.served?.requests.kind === 'rows')
    return truthOfRows(inputs.rows, model.served.requests.cells);
  const found = truthsOfNames(
    inputs.files.map(({ relative }) => relative),
    { count: scores?.classes, names },
  );
  const [first] = found;
  if (first === undefined)
    return {
      choices: [choice(null, 'neither folders nor names tell a class: no accuracy and no gate')],
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
  const images = inputs.imageType === undefined ? [] : labelledImages(inputs, scores?.classes ?? 2, names);
  const labels = chosen.labels.filter((label) => label !== undefined);
  return {
    choices: [
      choice(
        chosen.truth,
        `${chosen.reason}: ${labels.length} of ${inputs.files.length} files, ${classesOf(labels).length} classes`,
      ),
    ],
    labels,
    measured: model.served?.requests.kind === 'images' ? images : [],
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

  async function truthOfRows(rows: readonly (readonly string[])[], cells: number): Promise<FoundTruth> {
    const width = rows[0]?.length ?? 0;
    if (width === cells)
      return {
        choices: [choice(null, 'each row has the cells that the model takes, and no label')],
        labels: [],
        measured: [],
      };
    const columns = width === cells + 1 ? labelColumns(rows, scores?.classes ?? 0) : [];
    const [column] = columns;
    if (column === undefined)
      throw new Refusal(
        `rows of ${options.folder ?? ''} have ${width} cells, the model takes ${cells}, and neither the first nor the last column holds a class: say with --truth and transform.inputFilter in pipeline.json which cells are which`,
      );
    const answer =
      columns.length === 1
        ? String(column.at)
        : await decide({
            text: `Column that holds the class, ${columns.map(({ at }) => at).join(' or ')}`,
            option: "--truth '$[COLUMN]'",
            problem: (typed) =>
              columns.some(({ at }) => String(at) === typed) ? undefined : 'must be one of them',
          });
    const chosen = columns.find(({ at }) => String(at) === answer) ?? column;
    const filter = chosen.at === 0 ? '$[1:]' : '$[:-1]';
    return {
      choices: [
        { field: 'transform.inputFilter', value: filter, reason: 'the model gets the other cells' },
        choice(
          { from: 'record', path: `$[${chosen.at}]` },
          `each row has ${cells + 1} cells, and this one is a class`,
        ),
      ],
      labels: chosen.labels,
      measured: rows.flatMap((row, at) => {
        const numbers = row.filter((_, cell) => cell !== chosen.at).map(Number);
        const label = chosen.labels[at];
        const shape = [1, cells];
        const tensor: Tensor = { dtype: 'float32', shape, data: Float32Array.from(numbers) };
        const isFloat = model.served?.signature.inputs[0]?.dtype === 'float32';
        return label === undefined || !isFloat
          ? []
          : [{ name: `row ${at + 1}`, label, read: () => Promise.resolve(tensor) }];
      }),
    };
  }
}

/** Classes that nothing names: labels in an order that the model's answers show, or that a person confirms. */
async function askClasses(
  { options, decide, terminal }: Known,
  count: number | undefined,
  { labels }: FoundTruth,
  best: MeasuredOrder | undefined,
  others: readonly MeasuredOrder[],
): Promise<{ readonly value: readonly string[]; readonly reason: string }> {
  const sorted = classesOf(labels);
  const offered = best?.classes ?? (sorted.length === count ? sorted : undefined);
  if (offered !== undefined) {
    terminal.note(
      `classes ${offered
        .slice(0, 30)
        .map((name, index) => `${index} ${name}`)
        .join(', ')}${offered.length > 30 ? ', …' : ''}${rightOf(best)}`,
    );
  }
  const shownByLabels = best !== undefined && best.of > 0;
  const answer = await decide({
    text:
      offered === undefined
        ? `Names of the ${count ?? ''} classes of ${options.model} in the order of its outputs, with commas, or a file with one on each line`
        : 'Classes in the order of the outputs: names with commas, or a file',
    option: '--classes NAMES|FILE',
    offered: offered === undefined ? undefined : 'as shown',
    isShown:
      shownByLabels && isShown([best, ...others.filter(({ right, of }) => of > 0 && right < best.right)]),
  });
  if (answer !== 'as shown') return { value: await readClassNames(answer), reason: 'as you name them' };
  return {
    value: offered ?? [],
    reason: `the labels of the files, in the order that ${shownByLabels ? 'their answers show' : 'you confirmed'}${rightOf(best)}`,
  };
}
