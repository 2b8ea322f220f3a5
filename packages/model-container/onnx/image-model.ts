import { loadOnnx } from '@inferdrop/savedmodel/load-onnx';
import type { NamedTensors } from '@inferdrop/savedmodel/servable-model';
import { predict } from './predict.ts';
import { type ImageSettings, readImage } from './read-image.ts';
import { only } from './read-json.ts';
import { RequestRefused } from './request-refused.ts';

/** An ONNX model that takes image files, as the handler that inferdrop adds gives them to it. */
export interface ImageModel {
  /** The outputs for an image file, or why it has none. */
  answer(image: Uint8Array): Promise<{ readonly outputs: NamedTensors } | { readonly refused: string }>;
  close(): Promise<void>;
}

/** Loads a file whose name ends in `.onnx`. @throws {BrokenModel} */
export async function loadImageModel(file: string, settings: ImageSettings): Promise<ImageModel> {
  const model = await loadOnnx(file, { workers: 1 });
  const inputs = model.signatures[0]?.inputs ?? [];
  return {
    async answer(image) {
      try {
        return { outputs: await predict(model, readImage(only(inputs, 'an image'), image, settings)) };
      } catch (error) {
        if (error instanceof RequestRefused) return { refused: error.message };
        throw error;
      }
    },
    close: () => model.close(),
  };
}
