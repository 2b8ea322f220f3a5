import { Refusal } from '../refusal.ts';
import type { Terminal } from '../show/terminal.ts';
import { choosePixels, type TriedScale, tryScale } from './choose-pixels.ts';
import { exportWithDecoder, type Pixels, pixelsOf, readImageNetwork } from './export-with-decoder.ts';
import type { FolderInputs } from './folder-inputs.ts';
import { measurableSavedModel } from './measurable.ts';
import type { Decide } from './question.ts';
import { readServedModel, type ServedModel } from './served-model.ts';

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
 * Gives a network of pixels a signature that takes image files. The scale of its pixels is part of the network, or
 * shown by labelled images, or asked: a wrong one gives wrong answers without an error.
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
      `${place} takes ${JSON.stringify(shape)}, not a batch of images with 1 or 3 channels last: where its inputs are ` +
        'rows, give the folder that model.export("export") writes; else export a signature that takes files',
    );
  const scales = pixelsOf(channels, pixels);
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
  const tried: (TriedScale & { readonly served: ServedModel })[] = [];
  for (const scale of scales) {
    const served = await exported(scale);
    const [scores] = served.scores;
    const model = scores && measurableSavedModel(served, scores);
    tried.push({ ...(await tryScale(scale, model, inputs)), served });
  }
  const chosen = await choosePixels(tried, { decide, terminal });
  return tried.find(({ scale }) => scale === chosen)?.served ?? exported(chosen);
}
