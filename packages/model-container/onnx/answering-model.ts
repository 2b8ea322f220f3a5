import { loadOnnx } from '@inferdrop/savedmodel/load-onnx';
import type { NamedTensors } from '@inferdrop/savedmodel/servable-model';
import { predict } from './predict.ts';
import { readCsv } from './read-csv.ts';
import { type ImageSettings, readImage } from './read-image.ts';
import { only } from './read-json.ts';
import { RequestRefused } from './request-refused.ts';

/** An ONNX model that takes image files or rows of CSV, as the handler that inferdrop adds gives them to it. */
export interface AnsweringModel {
  /** The outputs for an image file or a row, or the reason for a refusal. */
  answer(request: Uint8Array): Promise<{ readonly outputs: NamedTensors } | { readonly refused: string }>;
  close(): Promise<void>;
}

/**
 * Loads a file with the suffix `.onnx`.
 *
 * @param settings of images; undefined for a model of rows
 * @throws {BrokenModel}
 */
export async function loadAnsweringModel(
  file: string,
  settings: ImageSettings | undefined,
): Promise<AnsweringModel> {
  const model = await loadOnnx(file, { workers: 1 });
  const inputs = model.signatures[0]?.inputs ?? [];
  return {
    async answer(request) {
      try {
        const feeds =
          settings === undefined
            ? readCsv(inputs, Buffer.from(request).toString('utf8'))
            : readImage(only(inputs, 'an image'), request, settings);
        return { outputs: await predict(model, feeds) };
      } catch (error) {
        if (error instanceof RequestRefused) return { refused: error.message };
        throw error;
      }
    },
    close: () => model.close(),
  };
}
