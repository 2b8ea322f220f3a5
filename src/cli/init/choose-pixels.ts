import { isShown } from '../../init/class-order.ts';
import { Refusal } from '../refusal.ts';
import type { Terminal } from '../show/terminal.ts';
import type { Pixels } from './export-with-decoder.ts';
import type { FolderInputs } from './folder-inputs.ts';
import type { Measurable } from './measure-model.ts';
import { labelledImages, labelsOfFiles, orderOf } from './measured-order.ts';
import type { Decide } from './question.ts';

/** A scale of pixels, and the labelled images that are right with it. */
export interface TriedScale {
  readonly scale: Pixels;
  readonly right: number;
  readonly of: number;
  /** Number of classes among them. */
  readonly ofClasses: number;
}

/** Lets a model answer labeled images with pixels in one scale. */
export async function tryScale(
  scale: Pixels,
  model: Measurable | undefined,
  inputs: FolderInputs | undefined,
): Promise<TriedScale> {
  if (model === undefined || inputs === undefined) return { scale, right: 0, of: 0, ofClasses: 0 };
  const { classes: count } = model;
  const images = labelledImages(inputs, labelsOfFiles(inputs, { count }), count);
  const { best } = await orderOf(model, images, []);
  return { scale, right: best?.right ?? 0, of: best?.of ?? 0, ofClasses: best?.ofClasses ?? 0 };
}

/**
 * The scale of a model's pixels: shown by labelled images, or asked, since a wrong one gives wrong answers without an error.
 *
 * @param besides what else the person may want to know
 */
export async function choosePixels(
  tried: readonly TriedScale[],
  { decide, terminal }: { readonly decide: Decide; readonly terminal: Terminal },
  besides = '',
): Promise<Pixels> {
  const best = tried.toSorted((a, b) => b.right - a.right)[0];
  const isMeasured = best !== undefined && best.of > 0;
  const counts = tried.map(({ scale, right, of }) => `${scale}: ${right} of ${of}`).join(', ');
  const figures = `right answers of labelled images of ${best?.ofClasses ?? 0} classes are ${counts}`;
  const scales = tried.map(({ scale }) => scale);
  const answer = await decide({
    text: `What pixels of 0 to 255 become before the network (${scales.join(', ')})${besides}${isMeasured ? `; ${figures}` : ''}`,
    option: `--pixels ${scales.join('|')}`,
    offered: isMeasured ? best.scale : undefined,
    isShown: isShown(tried),
    problem: (typed) =>
      scales.some((scale) => scale === typed) ? undefined : `must be one of ${scales.join(', ')}`,
  });
  const chosen = scales.find((scale) => scale === answer);
  if (chosen === undefined) throw new Refusal(`${answer} is no scale of pixels`);
  if (isMeasured) terminal.note(`pixels  ${answer}: ${figures}`);
  return chosen;
}
