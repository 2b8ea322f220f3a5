import { Refusal } from '../refusal.ts';
import { chooseImages, type KnownNetwork } from './choose-images.ts';
import { type Exporting, exportWithDecoder } from './export-with-decoder.ts';
import { askSize } from './image-size.ts';
import { savedModelNetwork } from './pixel-network.ts';
import { readServedModel, type ServedModel } from './served-model.ts';

/**
 * Gives a network of pixels a signature that takes image files.
 *
 * @throws {Refusal} if it takes no images, or nothing shows how it wants them
 */
export async function withDecoder(
  own: ServedModel,
  known: Omit<KnownNetwork, 'model'>,
  exporting: Exporting,
): Promise<ServedModel> {
  const { options, terminal } = known;
  const { model: place } = options;
  const shape = own.signature.inputs[0]?.shape ?? [];
  const [, height = -1, width = -1, channels] = shape;
  if (shape.length !== 4 || (channels !== 1 && channels !== 3))
    throw new Refusal(
      `${place} takes ${JSON.stringify(shape)}, not a batch of images with 1 or 3 channels last: if its inputs are ` +
        'rows, give the folder that model.export("export") writes; else export a signature that takes files',
    );
  const side =
    height < 1 || width < 1 || options.size !== undefined ? await askSize(place, known) : { height, width };
  const size = { ...side, channels };
  const network = savedModelNetwork(place, own, size);
  const [layer] = exporting.scaling ?? [];
  const levels = layer === undefined ? network.levels : `its layer ${layer} scales levels of 0 to 255`;
  const { images, reason } = await chooseImages(
    { ...network, levels },
    { ...known, model: { onnx: undefined, served: own } },
  );
  if (images.resample === 'bicubic')
    throw new Refusal(
      `${place} gets a decoder of TensorFlow, which resizes bilinearly, and ${reason}, with resample "bicubic": export a ` +
        'signature that takes image files, or an ONNX file',
    );
  terminal.note(`pixels  ${reason}`);
  terminal.status('TensorFlow exports the network with a decoder');
  return readServedModel(await exportWithDecoder(own.folder, { images, size }, exporting), place);
}
