import { type Choice, choice, rowChoices } from '../../init/choice.ts';
import { Refusal } from '../refusal.ts';
import { chooseImages } from './choose-images.ts';
import type { Known, PreparedModel } from './known.ts';
import { measurableOnnx } from './measurable.ts';
import type { Measurable } from './measure-model.ts';
import { measurableImages, onnxNetwork } from './pixel-network.ts';

/** How files become requests. */
export interface ChosenRequests {
  readonly choices: readonly Choice[];
  /** A handler to write, by the places of its files; undefined if there's one already, or the container itself makes the request. */
  readonly handler: Readonly<Record<string, string>> | undefined;
  /** The model as it would be sent files, if it runs here without a handler of its own. */
  readonly measurable?: Measurable | undefined;
}

/**
 * Chooses how files are sent to an ONNX model, by the handler that inferdrop adds.
 *
 * @throws {Refusal} if the model takes no such files
 */
export async function onnxRequests(
  known: Known,
  { image, takes, classes, file }: NonNullable<PreparedModel['onnx']>,
): Promise<ChosenRequests> {
  const { options, inputs } = known;
  if (inputs?.table !== undefined)
    return {
      choices: rowChoices(`the files are rows; the model takes ${takes}`, 'the handler answers'),
      handler: undefined,
      measurable: classes === undefined ? undefined : measurableOnnx(file, classes),
    };
  if (image === undefined || (inputs !== undefined && inputs.imageType === undefined))
    throw new Refusal(
      `${options.model} takes ${takes}, and the handler that inferdrop adds makes no request of such files: give a ` +
        `folder of ${image === undefined ? 'tables, --content-type' : 'images'}, or --code with a handler ` +
        '(docs/handlers.md)',
    );
  const network = onnxNetwork(options.model, file, image, classes);
  const own = known.model.converted?.images;
  const { images, reason } =
    own === undefined
      ? await chooseImages(network, known)
      : { images: own, reason: 'the preprocessing of the model, as its own files say' };
  return {
    choices: [
      { field: 'model.images', value: images, reason },
      choice(
        'transform.contentType',
        'application/x-image',
        'the model takes pixels; the handler that inferdrop adds decodes image files',
      ),
    ],
    handler: undefined,
    measurable: measurableImages(network, images),
  };
}
