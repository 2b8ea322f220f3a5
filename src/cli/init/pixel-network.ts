import { openImage } from '@inferdrop/model-container/internal/read-image';
import { RequestRefused } from '@inferdrop/model-container/internal/request-refused';
import { loadOnnx } from '@inferdrop/savedmodel/load-onnx';
import { loadSavedModel } from '@inferdrop/savedmodel/load-saved-model';
import {
  InvalidFeeds,
  type ServableModel,
  type Tensor,
  type TensorSpec,
} from '@inferdrop/savedmodel/servable-model';
import type { ImageSettings } from '../../frameworks/onnx/image-settings.ts';
import type { ImageSize } from '../../init/preprocessings.ts';
import type { Measurable } from './measure-model.ts';
import type { ServedModel } from './served-model.ts';

/** A network that takes prepared pixels. */
export interface PixelNetwork {
  /** The model as it was given, for messages. */
  readonly place: string;
  readonly size: ImageSize;
  /** Why pixels are levels of 0 to 255, if the network says so itself. */
  readonly levels: string | undefined;
  /** Number of scores of an image; undefined if its outputs don't tell. */
  readonly classes: number | undefined;
  /** @throws {UnsupportedModel} for a model that runs in TensorFlow only */
  open(): Promise<OpenNetwork>;
}

/** A network in memory. */
export interface OpenNetwork {
  readonly input: TensorSpec;
  score(pixels: Tensor): Promise<readonly number[] | Refused>;
  close(): Promise<void>;
}

interface Refused {
  readonly refused: string;
}

const BYTES = 'the model takes levels of 0 to 255';

/** An ONNX model of images. */
export function onnxNetwork(
  place: string,
  file: string,
  image: ImageSize & { readonly isBytes: boolean },
  classes: number | undefined,
): PixelNetwork {
  return {
    place,
    size: image,
    levels: image.isBytes ? BYTES : undefined,
    classes,
    open: async () => opened(await loadOnnx(file), ({ shape }) => shape.at(-1) === (classes ?? shape.at(-1))),
  };
}

/** A SavedModel with a signature of pixels, as images of this size. */
export function savedModelNetwork(
  place: string,
  { folder, signature, scores }: Pick<ServedModel, 'folder' | 'signature' | 'scores'>,
  size: ImageSize,
): PixelNetwork {
  const [found] = scores;
  return {
    place,
    size,
    levels: signature.inputs[0]?.dtype === 'uint8' ? BYTES : undefined,
    classes: found?.isSingle === true ? 1 : found?.classes,
    open: async () => {
      const { height, width, channels } = size;
      const network = opened(
        await loadSavedModel(folder),
        (_, name) => name === found?.output,
        signature.name,
      );
      return { ...network, input: { ...network.input, shape: [1, height, width, channels] } };
    },
  };
}

function opened(
  model: ServableModel,
  isScores: (tensor: Tensor, name: string) => boolean,
  name = model.signatures[0]?.name,
): OpenNetwork {
  const signature = model.signatures.find((one) => one.name === name);
  const input = signature?.inputs[0];
  if (signature === undefined || input === undefined) throw new Error('the model has no input');
  return {
    input,
    async score(pixels) {
      try {
        const answer = await model.run(signature.name, new Map([[input.name, pixels]]));
        const scores = [...answer].find(([own, one]) => one.dtype.startsWith('float') && isScores(one, own));
        return Array.from(scores?.[1].data ?? [], Number);
      } catch (error) {
        if (error instanceof InvalidFeeds) return { refused: error.message };
        throw error;
      }
    },
    close: () => model.close(),
  };
}

/** A network that is sent image files, prepared as these settings say. */
export function measurableImages(network: PixelNetwork, settings: ImageSettings): Measurable | undefined {
  const { classes } = network;
  if (classes === undefined) return undefined;
  return {
    classes: Math.max(2, classes),
    isSingle: classes === 1,
    async open() {
      const { input, score, close } = await network.open();
      return {
        async score(file) {
          const prepared = prepareFile(file, input, (prepare) => [prepare(settings)]);
          if ('refused' in prepared) return prepared;
          return score(prepared[0] ?? file);
        },
        close,
      };
    },
  };
}

/** Pixels of an image file, or why it can't be prepared. */
export function prepareFile(
  { data: [file] }: Tensor,
  input: TensorSpec,
  prepare: (one: ReturnType<typeof openImage>) => readonly Tensor[],
): readonly Tensor[] | Refused {
  if (!(file instanceof Uint8Array)) throw new TypeError('a network of pixels is measured by image files');
  try {
    return prepare(openImage(input, file));
  } catch (error) {
    if (error instanceof RequestRefused) return { refused: error.message };
    throw error;
  }
}
