import { join } from 'node:path';
import { CONVERSION_FILE } from '@inferdrop/savedmodel/internal/conversion';
import {
  loadConversion,
  loadInThisProcess,
  runtimeHere,
} from '@inferdrop/savedmodel/internal/load-in-this-process';
import type { ServableModel } from '@inferdrop/savedmodel/servable-model';
import { ArchiveRefused } from './archive-refused.ts';
import { connectPyodide } from './handlers/connect-pyodide.ts';
import { pyodideSnapshot } from './handlers/pyodide-snapshot.ts';
import { isolation } from './handlers/sandbox.ts';
import { answerRequest } from './onnx/answer-request.ts';
import { isPlainOnnx } from './onnx/own-handler.ts';
import { readImageSettings } from './onnx/read-image.ts';
import { beyondRest, triedSignature } from './tensorflow/serving/beyond-rest.ts';
import { startTensorFlow } from './tensorflow/tensorflow-service.ts';

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

/** A model archive that answers as the container of its image would: its model in this process, its script in a process of its own. */
export interface OpenedArchive {
  /** Name and version of the program that runs the model, for reports. */
  readonly runtime: string;
  answer(request: ArchiveRequest): Promise<ArchiveAnswer>;
  /** Starts the script anew, as in a new container; requests in progress fail. The model stays open. @throws {HandlerRefused} */
  renewScript(): Promise<void>;
  /** Stops the script. */
  close(): Promise<void>;
}

interface ArchiveOptions {
  readonly image: string;
  readonly modelDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly load?: (versionDir: string) => Promise<ServableModel>;
  /** For an archive that `convertArchive` has converted: gives the folder of a version with its SavedModel, should it be wanted. */
  readonly savedModelOf?: (versionDir: string) => Promise<string>;
  /** File with the memory of a Python that has booted, which is made where it is left out. */
  readonly pythonSnapshot?: string;
  /** A line of the script. */
  readonly log?: (line: string) => void;
}

/** TensorFlow Serving's own port, which handlers find in their context; nothing listens to it here. */
const REST_PORT = 8501;

/**
 * Opens an unpacked archive: an ONNX model with inferdrop's handler, or SavedModels, with a script that runs in Pyodide.
 *
 * @throws {ArchiveRefused} {HandlerRefused} {UnsupportedModel} {BrokenModel}
 */
export function openArchive(options: ArchiveOptions): Promise<OpenedArchive> {
  const { modelDir, environment } = options;
  if (isPlainOnnx(modelDir)) return openOnnx(modelDir, environment);
  return openSavedModels(options);
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
    renewScript: () => Promise.resolve(),
    close: () => model.close(),
  };
}

async function openSavedModels({
  image,
  modelDir,
  environment,
  savedModelOf,
  load = savedModelOf === undefined
    ? loadInThisProcess
    : (versionDir) => loadConversion(versionDir, () => savedModelOf(versionDir)),
  pythonSnapshot,
  log = () => undefined,
}: ArchiveOptions): Promise<OpenedArchive> {
  const service = await startTensorFlow({
    image,
    modelDir,
    modelFile: savedModelOf && CONVERSION_FILE,
    environment,
    networkIsolation: true,
    restPort: REST_PORT,
    pythons: {
      pyodide: connectPyodide(isolation, async () => pythonSnapshot ?? pyodideSnapshot()),
    },
    async load(versionDir) {
      const model = await load(versionDir);
      const served = triedSignature(model.signatures);
      const unanswered = served && beyondRest(served);
      if (unanswered !== undefined) throw new ArchiveRefused(unanswered);
      return model;
    },
    log,
  });
  return {
    runtime: `${runtimeHere()}, SavedModel converted to ONNX`,
    answer: ({ body, contentType, accept }) =>
      service.invoke({ body, contentType, accept, customAttributes: undefined }),
    renewScript: () => service.renewScript(),
    close: () => service.close(),
  };
}
