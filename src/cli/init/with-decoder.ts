import { isShown } from '../../init/class-order.ts';
import { Refusal } from '../refusal.ts';
import type { Terminal } from '../show/terminal.ts';
import { exportWithDecoder, PIXELS, type Pixels, readImageNetwork } from './export-with-decoder.ts';
import type { FolderInputs } from './folder-inputs.ts';
import { labelledImages, orderOf } from './measured-order.ts';
import { readServedModel, type ServedModel } from './open-model.ts';
import type { Decide } from './question.ts';

interface Exported {
  /** The model as it was given, for messages. */
  readonly place: string;
  readonly inputs: FolderInputs | undefined;
  readonly pixels: Pixels | undefined;
  readonly size: string | undefined;
  readonly scratch: string;
  readonly decide: Decide;
  readonly terminal: Terminal;
}

/**
 * Gives a network of pixels a signature that takes image files. The scale of its pixels is part of the network, or shown by labelled images,
 * or asked: a wrong one gives wrong answers without an error.
 */
export async function withDecoder(
  model: string,
  { place, inputs, pixels, size, scratch, decide, terminal }: Exported,
): Promise<ServedModel> {
  terminal.status('TensorFlow reads the network');
  const { shape, scaling } = await readImageNetwork(model);
  const [, height, width, channels] = shape;
  if (shape.length !== 4 || (channels !== 1 && channels !== 3))
    throw new Refusal(
      `${place} takes ${JSON.stringify(shape)}, not a batch of images with 1 or 3 channels last: export a signature that takes files`,
    );
  const side =
    size ??
    (typeof height !== 'number' || typeof width !== 'number'
      ? await decide({
          text: `${place} takes images of any size: height and width to scale them to, as 224x224`,
          option: '--size HEIGHTxWIDTH',
          problem: (answer) => (/^\d+x\d+$/.test(answer) ? undefined : 'must be as 224x224'),
        })
      : undefined);
  const exported = async (scale: Pixels): Promise<ServedModel> => {
    terminal.status(`TensorFlow exports the network with a decoder, pixels ${scale}`);
    return readServedModel(await exportWithDecoder(model, scratch, { pixels: scale, size: side }), place);
  };
  if (pixels !== undefined) return exported(pixels);
  if (scaling.length > 0) {
    terminal.note(`pixels  0-255: its layer ${scaling[0] ?? ''} scales them`);
    return exported('0-255');
  }
  const tried: TriedScale[] = [];
  for (const scale of PIXELS) tried.push(await tryScale(scale, await exported(scale), inputs));
  const best = tried.toSorted((a, b) => b.right - a.right)[0];
  const figures = tried.map(({ scale, right, of }) => `${scale}: ${right} of ${of}`).join(', ');
  const isMeasured = best !== undefined && best.of > 0;
  const answer = await decide({
    text: `What pixels of 0 to 255 become before the network (${PIXELS.join(', ')})${isMeasured ? `; right answers of labelled images are ${figures}` : ''}`,
    option: `--pixels ${PIXELS.join('|')}`,
    offered: isMeasured ? best.scale : undefined,
    isShown: isShown(tried),
    problem: (typed) =>
      PIXELS.some((scale) => scale === typed) ? undefined : `must be one of ${PIXELS.join(', ')}`,
  });
  const chosen = tried.find(({ scale }) => scale === answer) ?? tried[0];
  if (chosen === undefined) throw new Refusal(`${answer} is no scale of pixels`);
  terminal.note(`pixels  ${answer}${isMeasured ? `: right answers of labelled images are ${figures}` : ''}`);
  return chosen.served;
}

/** A scale of pixels, and what labelled images say of it. */
interface TriedScale {
  readonly scale: Pixels;
  readonly served: ServedModel;
  readonly right: number;
  readonly of: number;
}

async function tryScale(
  scale: Pixels,
  served: ServedModel,
  inputs: FolderInputs | undefined,
): Promise<TriedScale> {
  const [scores] = served.scores;
  const images = scores === undefined || inputs === undefined ? [] : labelledImages(inputs, scores.classes);
  const { best } = scores === undefined ? { best: undefined } : await orderOf(served, scores, images, []);
  return { scale, served, right: best?.right ?? 0, of: best?.of ?? 0 };
}
