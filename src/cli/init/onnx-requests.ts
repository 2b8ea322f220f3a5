import type { ImageSettings } from '../../frameworks/onnx/image-settings.ts';
import { type Choice, rowChoices } from '../../init/choice.ts';
import { Refusal } from '../refusal.ts';
import { choosePixels, type TriedScale, tryScale } from './choose-pixels.ts';
import { type Pixels, pixelsOf } from './export-with-decoder.ts';
import type { Known, PreparedModel } from './known.ts';
import { measurableOnnx } from './measurable.ts';
import type { Measurable } from './measure-model.ts';

/** How files become requests. */
export interface ChosenRequests {
  readonly choices: readonly Choice[];
  /** A script to use as the handler; undefined if there is one already, or the container itself makes the request. */
  readonly handler: string | undefined;
  /** The model as it would be sent files, if it runs here without a handler of its own. */
  readonly measurable?: Measurable | undefined;
}

const IMAGE_FILES: Choice = {
  field: 'transform.contentType',
  value: 'application/x-image',
  reason: 'the model takes pixels; the handler that inferdrop adds decodes image files',
};

/** Levels of 0 to 255 as a model wants them, in the form of `model.images`. */
const IMAGES: Readonly<Record<Pixels, Omit<ImageSettings, 'resize'>>> = {
  '0-255': { scale: 1, mean: 0, std: 1 },
  '0-1': { scale: 1 / 255, mean: 0, std: 1 },
  '-1-1': { scale: 1 / 127.5, mean: 1, std: 1 },
  imagenet: { scale: 1 / 255, mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] },
};

/**
 * Chooses how files are sent to an ONNX model, by the handler that inferdrop adds.
 *
 * @throws {Refusal} if the model takes no such files
 */
export async function onnxRequests(
  { options, inputs, model, decide, terminal }: Known,
  { image, takes, classes, file }: NonNullable<PreparedModel['onnx']>,
): Promise<ChosenRequests> {
  const measurable = (settings: Parameters<typeof measurableOnnx>[2]): Measurable | undefined =>
    classes === undefined ? undefined : measurableOnnx(file, classes, settings);
  if (inputs?.table !== undefined)
    return {
      choices: rowChoices(`the files are rows; the model takes ${takes}`, 'the handler answers'),
      handler: undefined,
      measurable: measurable(undefined),
    };
  if (image === undefined || (inputs !== undefined && inputs.imageType === undefined))
    throw new Refusal(
      `${options.model} takes ${takes}, and the handler that inferdrop adds makes no request of such files: give a ` +
        `folder of ${image === undefined ? 'tables, --content-type' : 'images'}, or --code with a handler ` +
        '(docs/handlers.md)',
    );
  const known = model.converted?.images;
  if (known !== undefined)
    return {
      choices: [
        { field: 'model.images', value: known, reason: 'as preprocessor_config.json of the model says' },
        IMAGE_FILES,
      ],
      handler: undefined,
      measurable: measurable(known),
    };
  const scales = pixelsOf(image.channels, options.pixels);
  const imagesOf = (scale: Pixels) => ({ ...IMAGES[scale], resize: 'stretch' }) as const;
  const measured = async (): Promise<Pixels> => {
    const tried: TriedScale[] = [];
    for (const scale of scales) {
      terminal.status(`The model answers labelled images, pixels ${scale}`);
      tried.push(await tryScale(scale, measurable(imagesOf(scale)), inputs));
    }
    return choosePixels(tried, { decide, terminal }, '; others are set in model.images');
  };
  const pixels = image.isBytes ? '0-255' : (options.pixels ?? (await measured()));
  const { height, width } = image;
  return {
    choices: [
      {
        field: 'model.images',
        value: imagesOf(pixels),
        reason:
          `${image.isBytes ? 'the model takes levels of 0 to 255' : `pixels are ${pixels}, ${options.pixels === undefined ? 'as chosen' : 'as you say'}`}; ` +
          `other images than of ${width} x ${height} are stretched to it: set resize to a number where training cut out ` +
          'their middle',
      },
      IMAGE_FILES,
    ],
    handler: undefined,
    measurable: measurable(imagesOf(pixels)),
  };
}
