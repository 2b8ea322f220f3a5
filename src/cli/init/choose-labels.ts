import type { Choice } from '../../init/choice.ts';
import { isShown, orderOfAnswers } from '../../init/class-order.ts';
import { Refusal } from '../refusal.ts';
import { askClasses, namedClasses, rightOf } from './choose-classes.ts';
import { chooseTruth } from './choose-truth.ts';
import { chosenScores, type Known } from './known.ts';
import { measurableSavedModel } from './measurable.ts';
import type { Measurable } from './measure-model.ts';
import { orderOf } from './measured-order.ts';

/** Least labelled inputs of which a gate makes sense. */
const LEAST_FOR_GATE = 100;

/** Chooses classes, truth, scores and gate. */
export async function chooseLabels(known: Known, onnxModel?: Measurable): Promise<readonly Choice[]> {
  const { options, model, inputs, decide, terminal } = known;
  const { served, onnx } = model;
  const scores = served && chosenScores(known, served);
  const count = scores?.classes ?? onnx?.classes;
  const found = await namedClasses(known, count);
  const truth = await chooseTruth(known, count, found?.names);
  // A classifier that was trained on indices names them, and says nothing about the labels.
  const isOfLabels =
    options.classes !== undefined ||
    truth.labels.length === 0 ||
    truth.labels.some((label) => found?.names.includes(label) || /^\d{1,9}$/.test(label));
  const named = isOfLabels ? found : undefined;
  terminal.status('The model answers labelled inputs');
  const measurable = served && scores ? measurableSavedModel(served, scores) : onnxModel;
  const order =
    measurable && (await orderOf(measurable, truth.measured, named === undefined ? [] : [named.names]));
  for (const sentence of order?.unanswered.slice(0, 3) ?? []) terminal.note(`not answered  ${sentence}`);
  const shown = named && measurable && orderOfAnswers(order?.answers ?? [], measurable.classes);
  if (shown !== undefined && order?.best !== undefined && isShown([shown, order.best]))
    terminal.note(
      `classes  the model's answers show another order: ${shown.classes.join(', ')}${rightOf(shown)}`,
    );
  const classes = named
    ? { value: named.names, reason: `${named.place}${rightOf(order?.best)}` }
    : await askClasses(known, count, truth, order?.best, order?.others ?? []);
  if (count !== undefined && classes.value.length !== count)
    throw new Refusal(
      `${options.model} scores ${count} classes, and ${classes.value.length} are named: name them all with --classes`,
    );
  const gate = await chooseGate(truth.labels.length);
  return [
    { field: 'labels.classes', ...classes },
    ...truth.choices,
    ...(order?.areProbabilities === false || onnx?.areLogits === true
      ? [
          {
            field: 'labels.scores',
            value: 'logits',
            reason:
              order?.areProbabilities === false
                ? 'its scores for labelled inputs are no probabilities'
                : 'its graph has no Softmax: its scores are no probabilities',
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
