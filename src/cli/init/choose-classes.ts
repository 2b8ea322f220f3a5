import path from 'node:path';
import { isShown, type MeasuredOrder } from '../../init/class-order.ts';
import { classesOf } from '../../init/truth-of-names.ts';
import { percent } from '../../text/figures.ts';
import { findClassNames, readClassNames } from './class-names.ts';
import type { FoundTruth } from './found-truth.ts';
import type { Known } from './known.ts';

/** Classes that an option or a file beside the model names; undefined where none does. */
export async function namedClasses(
  { options, model }: Known,
  count: number | undefined,
): Promise<{ readonly names: readonly string[]; readonly place: string } | undefined> {
  if (options.classes !== undefined)
    return { names: await readClassNames(options.classes), place: 'as --classes names them' };
  if (model.onnx !== undefined && model.onnx.names !== null)
    return { names: model.onnx.names, place: 'the model, which names them' };
  const beside = [...(model.served === undefined ? [] : [model.served.folder]), path.dirname(options.model)];
  const found = await findClassNames(beside, count);
  return found && { names: found.names, place: `in the order of ${found.place}` };
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
        ? `Names of the ${count === undefined ? '' : `${count} `}classes of ${options.model} in the order of its outputs, with commas, or a file with one on each line`
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

/** Words for how often the answers are right with an order; empty where none was measured. */
export function rightOf(order: MeasuredOrder | undefined): string {
  return order === undefined || order.of === 0
    ? ''
    : `; ${order.right} of ${order.of} labelled inputs are right with it (${percent(order.right / order.of)})`;
}
