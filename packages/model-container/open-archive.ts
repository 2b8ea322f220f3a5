import { join } from 'node:path';
import { loadInThisProcess, runtimeHere } from '@inferdrop/savedmodel/load-in-this-process';
import { findModelBundles } from '@inferdrop/savedmodel/model-bundles';
import type { ServableModel } from '@inferdrop/savedmodel/servable-model';
import { parseImageUri } from './image.ts';
import { answerRequest } from './onnx/answer-request.ts';
import { isPlainOnnx } from './onnx/own-handler.ts';
import { readImageSettings } from './onnx/read-image.ts';
import { resolveImageGeneration } from './tensorflow/front/image-generation.ts';
import { invokeModel } from './tensorflow/front/invoke-model.ts';
import { beyondRest, servedSignature } from './tensorflow/serving/beyond-rest.ts';
import { createRestApi } from './tensorflow/serving/rest-api.ts';

/** A request for predictions, and how its answer is to be written. */
export interface ArchiveRequest {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly accept: string;
}

/** An answer; its status is of HTTP. */
export interface ArchiveAnswer {
  readonly status: number;
  readonly body: Uint8Array | string;
}

/** A model archive that answers in this process, as the container of its image would. */
export interface OpenedArchive {
  /** Name and version of the program that runs the model, for reports. */
  readonly runtime: string;
  answer(request: ArchiveRequest): Promise<ArchiveAnswer>;
}

/** The archive needs more than this process is. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}

/**
 * Opens an unpacked archive in this process: an ONNX model with inferdrop's handler, or SavedModels without a script.
 *
 * @throws {ArchiveRefused} {UnsupportedModel} {BrokenModel}
 */
export async function openArchive({
  image,
  modelDir,
  environment,
  onnxHandler,
}: {
  readonly image: string;
  readonly modelDir: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The handler of ONNX archives, where this package is bundled without its file. */
  readonly onnxHandler?: Uint8Array;
}): Promise<OpenedArchive> {
  if (isPlainOnnx(modelDir, onnxHandler)) return openOnnx(modelDir, environment);
  return openSavedModels(modelDir, image);
}

async function openOnnx(
  modelDir: string,
  environment: Readonly<Record<string, string>>,
): Promise<OpenedArchive> {
  const images = readImageSettings(environment);
  const model = await loadInThisProcess(join(modelDir, 'model.onnx'));
  return {
    runtime: runtimeHere(),
    async answer({ body, contentType, accept }) {
      const answer = await answerRequest(
        model,
        { headers: { 'content-type': contentType, accept }, body },
        images,
      );
      if (answer.kind !== 'answer') throw new TypeError('the model has died');
      return answer;
    },
  };
}

async function openSavedModels(modelDir: string, image: string): Promise<OpenedArchive> {
  const models = new Map<string, Map<number, ServableModel>>();
  for (const { name, versions } of await findModelBundles(modelDir)) {
    const loaded = new Map<number, ServableModel>();
    for (const [version, folder] of versions) {
      const model = await loadInThisProcess(folder);
      const served = servedSignature(model.signatures);
      const unanswered = served && beyondRest(served);
      if (unanswered !== undefined) throw new ArchiveRefused(unanswered);
      loaded.set(version, model);
    }
    models.set(name, loaded);
  }
  const [defaultModelName] = models.keys();
  if (defaultModelName === undefined)
    throw new ArchiveRefused(
      'the archive has neither a model.onnx with the handler of inferdrop nor a SavedModel',
    );
  const invoked = {
    restApi: createRestApi(models),
    defaultModelName,
    generation: resolveImageGeneration(parseImageUri(image).tag),
  };
  return {
    runtime: `${runtimeHere()}, SavedModel converted to ONNX`,
    answer: ({ body, contentType, accept }) =>
      invokeModel({ body, contentType, accept, customAttributes: undefined }, invoked),
  };
}
