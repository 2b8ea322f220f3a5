import { INSPECTIONS } from '../../frameworks/inspections.ts';
import { type Choice, choice } from '../../init/choice.ts';
import { isAtOdds, isShown, orderOfAnswers } from '../../init/class-order.ts';
import { labelNumbers } from '../../init/label-numbers.ts';
import { manyNumbers } from '../../label/label-tally.ts';
import { plural } from '../../text/figures.ts';
import { Refusal } from '../refusal.ts';
import { askClasses, namedClasses, nameLabels, rightOf } from './choose-classes.ts';
import { chooseTruth } from './choose-truth.ts';
import { answersNumber, chosenScores, isRegression, type Known } from './known.ts';
import { measurableSavedModel } from './measurable.ts';
import type { Measurable } from './measure-model.ts';
import { orderOf } from './measured-order.ts';

/** Fewest labeled inputs for a meaningful gate. */
const LEAST_FOR_GATE = 100;

/** Chooses classes, truth, scores and gate. */
export async function chooseLabels(known: Known, sent?: Measurable): Promise<readonly Choice[]> {
  const { options, model, inputs, decide, terminal } = known;
  const { served, onnx } = model;
  const scores = served && chosenScores(known, served);
  const count = scores?.classes ?? onnx?.classes ?? sent?.classes;
  const found = await namedClasses(known, count);
  const truth = await chooseTruth(known, count, found?.names);
  const target = answersNumber(model) ? manyNumbers(truth.labels) : undefined;
  if (target !== undefined || isRegression(model)) return unjudged(options, truth.choices, target);
  const isOfLabels = options.classes !== undefined || nameLabels(found?.names ?? [], truth.labels);
  const named = isOfLabels ? found : undefined;
  terminal.status('The model answers labeled inputs');
  const measurable = served && scores ? measurableSavedModel(served, scores) : sent;
  const order =
    measurable &&
    (await orderOf(measurable, truth.measured, named === undefined ? [] : [withBackground(named.names)]));
  const hasTitles = inputs?.table?.titles !== undefined;
  if (hasTitles && order?.best !== undefined && isAtOdds(order.best, options.minAccuracy))
    throw new Refusal(
      `the columns of ${options.folder} in the order of the file make ${order.best.right} of ${order.best.of} answers ` +
        'right: the model was trained on another order, or on other columns. Write them in the order of the training, ' +
        'or accept so few by --min-accuracy',
    );
  if (truth.labels.length > 0 && (order === undefined || truth.measured.length === 0))
    terminal.note(`not measured  ${unmeasured(known)}`);
  for (const sentence of order?.unanswered.slice(0, 3) ?? []) terminal.note(`not answered  ${sentence}`);
  const shown = named && measurable && orderOfAnswers(order?.answers ?? [], measurable.classes);
  if (shown !== undefined && order?.best !== undefined && isShown([shown, order.best]))
    terminal.note(
      `classes  the model's answers show another order: ${shown.classes.join(', ')}${rightOf(shown)}`,
    );
  const classes = named
    ? { value: named.names, reason: `${named.place}${rightOf(order?.best)}` }
    : await askClasses(known, count, truth, order?.best, order?.others ?? []);
  const hasBackground = count === classes.value.length + 1 && (await isBackground(classes.value.length));
  if (count !== undefined && classes.value.length !== count && !hasBackground)
    throw new Refusal(
      `${options.model} scores ${count} classes, and ${classes.value.length} are named: name them all with --classes`,
    );
  const orders = order?.best === undefined ? [] : [order.best, ...order.others];
  const measured = orders.filter(
    (one) => one.classes.slice(hasBackground ? 1 : 0).join('\n') === classes.value.join('\n'),
  );
  const numbers = labelNumbers(truth.labels, classes.value, measured);
  if (numbers !== undefined && 'open' in numbers) terminal.note(`labels.numbers  ${numbers.open}`);
  const gate = await chooseGate(truth.labels.length);
  return [
    { field: 'labels.classes', ...classes },
    ...(hasBackground
      ? [{ field: 'labels.classOffset', value: -1, reason: 'output 0 is a background class without a name' }]
      : []),
    ...truth.choices,
    ...(numbers !== undefined && 'value' in numbers ? [{ field: 'labels.numbers', ...numbers }] : []),
    ...(order?.areProbabilities === false || onnx?.areLogits === true
      ? [
          choice(
            'labels.scores',
            'logits',
            order?.areProbabilities === false
              ? 'its scores for labeled inputs are no probabilities'
              : 'its graph has no Softmax: its scores are no probabilities',
          ),
        ]
      : []),
    ...(measurable?.isSingle === true
      ? [choice('labels.threshold', 0.5, 'it gives one number a record, the probability of the second class')]
      : []),
    ...gate,
  ];

  /** Names with one for output 0, if there is one name less than scores. */
  function withBackground(names: readonly string[]): readonly string[] {
    return count === names.length + 1 ? ['', ...names] : names;
  }

  async function isBackground(names: number): Promise<boolean> {
    if (options.background) return true;
    const answer = await decide({
      text:
        `${options.model} scores ${names + 1} classes, and ${plural(names, 'name')} are given. Is output 0 a background ` +
        'class without a name, as ImageNet models of TensorFlow have it (yes or no)',
      option: '--background',
      offered: 'yes',
      isShown: order?.best !== undefined && isShown([order.best]),
      problem: (typed) => (['yes', 'no'].includes(typed) ? undefined : 'must be yes or no'),
    });
    return answer === 'yes';
  }

  async function chooseGate(labeled: number): Promise<Choice[]> {
    const bounds = [
      ...(await chooseAccuracy(labeled)),
      ...(options.minRecall === undefined
        ? []
        : [choice('gate.minRecall', options.minRecall, 'as --min-recall says, of each class')]),
    ];
    if (!options.deploy) return bounds;
    if (bounds.length === 0)
      throw new Refusal(
        '--deploy serves a run that passes its gate, and there is no gate: also give --min-accuracy or --min-recall',
      );
    const reason =
      'as --deploy says; its gate must prove minAccuracy at 95% confidence, and in AWS an endpoint costs by the hour (docs/serving.md)';
    return [...bounds, { field: 'endpoint.deploy', value: 'when-gate-passes', reason }];
  }

  async function chooseAccuracy(labeled: number): Promise<Choice[]> {
    const field = 'gate.minAccuracy';
    if (options.minAccuracy !== undefined)
      return [{ field, value: options.minAccuracy, reason: 'as --min-accuracy says' }];
    if (labeled < LEAST_FOR_GATE || inputs === undefined) return [];
    const answer = await decide({
      text: 'Least accuracy that a run must show to pass, as 0.9, or none',
      option: '--min-accuracy SHARE',
      offered: 'none',
      isShown: true,
      problem: (typed) =>
        typed === 'none' || isShare(typed) ? undefined : 'must be a share between 0 and 1, or none',
    });
    return answer === 'none' ? [] : [{ field, value: Number(answer), reason: 'as you say' }];
  }
}

/**
 * The choices for a model that predicts numbers, which nobody judges.
 *
 * @throws {Refusal} for an option that judges classes
 */
function unjudged(
  { model, minAccuracy, minRecall, classes, deploy }: Known['options'],
  found: readonly Choice[],
  numbers: number | undefined,
): readonly Choice[] {
  const asked = Object.entries({ minAccuracy, minRecall, classes, deploy: deploy || undefined }).find(
    ([, value]) => value !== undefined,
  );
  if (asked !== undefined)
    throw new Refusal(
      `${model} predicts numbers, which are no classes, so nothing is judged: leave out ` +
        `--${asked[0].replace(/[A-Z]/g, '-$&').toLowerCase()}`,
    );
  const of = numbers === undefined ? '' : `, as the ${numbers} different numbers of the sample show`;
  return [
    ...found.filter(({ field }) => field.startsWith('columns.')),
    choice(
      'labels',
      null,
      `it predicts numbers${of}: a regression is not judged; the report has counts, errors, cost and answers`,
    ),
  ];
}

/** Why labeled inputs do not show the order of the classes, and what would. */
function unmeasured({ model: { framework, hasHandler } }: Known): string {
  const report = 'the report of a labeled run says if another order is right more often';
  const { unmeasured } = INSPECTIONS[framework];
  if (unmeasured === null && !hasHandler) return `init sends no such files to this model; ${report}`;
  const other = unmeasured === null ? 'or a SavedModel that decodes files ' : '';
  const [what, how] = unmeasured ?? ['a handler', 'with inferdrop up --handlers python'];
  return (
    `init does not run ${what}. An ONNX file of the model ${other}would show the order of the classes here; else ` +
    `${report}, on this machine ${how}`
  );
}

/** Whether a text is a share above 0. */
export function isShare(text: string): boolean {
  return Number(text) > 0 && Number(text) <= 1;
}
