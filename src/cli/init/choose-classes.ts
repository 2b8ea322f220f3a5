import path from 'node:path';
import { isShown, type MeasuredOrder, SHOWN_WORDS } from '../../init/class-order.ts';
import { classesOf } from '../../init/truth-of-names.ts';
import { wholeNumber } from '../../label/reading.ts';
import { grouped, percent } from '../../text/figures.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { findClassNames, readClassNames } from './class-names.ts';
import type { FoundTruth } from './found-truth.ts';
import type { Known, PreparedModel } from './known.ts';

/** Classes from an option or a file next to the model; undefined if neither names them. */
export async function namedClasses(
  { options, model }: Pick<Known, 'options'> & { readonly model: Pick<PreparedModel, 'onnx' | 'served'> },
  count: number | undefined,
): Promise<{ readonly names: readonly string[]; readonly place: string } | undefined> {
  if (options.classes !== undefined)
    return { names: await readClassNames(options.classes), place: 'as --classes names them' };
  if (model.onnx !== undefined && model.onnx.names !== null)
    return { names: model.onnx.names, place: 'the model, which names them' };
  const beside = [...(model.served === undefined ? [] : [model.served.folder]), path.dirname(options.model)];
  // One class less than scores may leave out a background class.
  const found =
    (await findClassNames(beside, count)) ??
    (count === undefined ? undefined : await findClassNames(beside, count - 1));
  return found && { names: found.names, place: `in the order of ${found.place}` };
}

/** Whether names of classes are those of the labels: a classifier that was trained on indices names them, and says nothing about labels. */
export function nameLabels(names: readonly string[], labels: readonly string[]): boolean {
  return (
    labels.length === 0 ||
    labels.some((label) => names.includes(label) || wholeNumber(label.trim()) !== undefined)
  );
}

/** Classes that nothing names: labels in an order that the model's answers show, or that a person confirms. */
export async function askClasses(
  { options, decide, terminal }: Known,
  count: number | undefined,
  { labels }: FoundTruth,
  best: MeasuredOrder | undefined,
  others: readonly MeasuredOrder[],
): Promise<{ readonly value: readonly string[]; readonly reason: string }> {
  const sorted = classesOf(labels);
  const isWhole = count === undefined ? sorted.length > 1 : sorted.length === count;
  const offered = best?.classes ?? (isWhole ? sorted : undefined);
  const shownByLabels = best !== undefined && best.of > 0;
  const measured = others.filter(({ of }) => of > 0);
  const takes = shownByLabels && isShown([best, ...measured.filter(({ right }) => right < best.right)]);
  if (offered !== undefined) terminal.note(`classes ${listed(offered)}${rightOf(best)}`);
  if (!takes)
    for (const other of measured) terminal.note(`another order  ${listed(other.classes)}${rightOf(other)}`);
  const answer = await decide({
    text:
      offered === undefined
        ? `Names of the ${count === undefined ? '' : `${count} `}classes of ${options.model} in the order of its ` +
          'outputs, with commas, or a file with one on each line'
        : 'Classes in the order of the outputs: names with commas, a file, or "as shown"',
    option: '--classes NAMES|FILE',
    // An order that labels don't show to be right is only taken by name.
    offered: offered === undefined || (shownByLabels && !takes) ? undefined : 'as shown',
    remedy:
      offered &&
      `--classes ${quoted(offered.join(','))} takes the order shown; --yes does so if it ${SHOWN_WORDS}`,
    isShown: takes,
  });
  if (answer !== 'as shown') return { value: await readClassNames(answer), reason: 'as you name them' };
  return {
    value: offered ?? [],
    reason: `the labels of the files, in the order that ${shownByLabels ? 'their answers show' : 'you confirmed'}${rightOf(best)}`,
  };
}

function listed(classes: readonly string[]): string {
  const first = classes.slice(0, 30).map((name, index) => `${index} ${name}`);
  return `${first.join(', ')}${classes.length > 30 ? ', …' : ''}`;
}

/** Words for how often the answers are right with an order; empty if none was measured. */
export function rightOf(order: MeasuredOrder | undefined): string {
  if (order === undefined || order.of === 0) return '';
  const { right, of, ofClasses, classes } = order;
  const all = `${grouped(classes.length)} classes`;
  return (
    `; ${right} of ${of} labeled inputs of ${ofClasses < classes.length ? `${ofClasses} of the ${all}` : all} are ` +
    `right with it (${percent(right / of)})`
  );
}
