import { findModelBundles } from '@inferdrop/savedmodel/model-bundles';
import { failingEverywhere } from '@inferdrop/savedmodel/refused-operations';
import { runOnZeros } from '@inferdrop/savedmodel/run-on-zeros';
import {
  BrokenModel,
  describeRefusal,
  type ServableModel,
  type Signature,
  UnrestoredVariable,
  UnsupportedModel,
} from '@inferdrop/savedmodel/servable-model';
import { type ContainerHostOptions, engineModuleOf } from './container-host.ts';
import { checkScript } from './handlers/check-script.ts';
import { readHandlerScript } from './handlers/handler-script.ts';
import { resolveContainerKind } from './image.ts';
import { describeEngine } from './python-environments/engine-environment.ts';
import { beyondRest, servedSignature } from './tensorflow/serving/beyond-rest.ts';

/** An unpacked archive and the image that would serve it. */
export interface CheckedModel {
  readonly image: string;
  readonly modelDir: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Why the containers of this stack cannot run a model, with the remedy; undefined if they can. SageMaker's CreateModel does not read
 * archives: a SavedModel that is damaged, or that TensorFlow Serving cannot restore, would fail every job there. A script with an
 * error in it, and an archive without SavedModel, fail the job, as in AWS.
 */
export type CheckModel = (model: CheckedModel) => Promise<string | undefined>;

/** A loop of the model may never end on zeros. */
const ZEROS_MS = 60_000;

interface Engine {
  loadSavedModel(versionDir: string, options: { readonly workers: number }): Promise<ServableModel>;
}

/** Converts the model, runs it once on zeros, and imports the script, as a container would. */
export function createModelCheck(options: ContainerHostOptions = {}): CheckModel {
  const { handlers = 'pyodide', engine = 'onnxruntime' } = options;
  return async ({ image, modelDir, environment }) => {
    const container = resolveContainerKind(image);
    if (container.kind === 'refused') return container.reason;
    if (container.kind === 'pytorch') {
      const { installed } = describeEngine('pytorch');
      return installed
        ? undefined
        : `image ${image}: pytorch is not installed: run "inferdrop containers install pytorch"`;
    }
    // TensorFlow itself runs every operation, but restores variables as TensorFlow Serving does.
    const refusal =
      engine === 'python'
        ? await checkVariables(modelDir)
        : await checkBundles(modelDir, engineModuleOf(options));
    if (refusal !== undefined) return refusal;
    return handlers === 'python' ? undefined : checkScript(modelDir, environment);
  };
}

async function checkVariables(modelDir: string): Promise<string | undefined> {
  const { loadModel } = await import('@inferdrop/savedmodel/load-model');
  for (const versionDir of await versionsOf(modelDir)) {
    try {
      const model = loadModel(versionDir);
      const served = servedSignature(model.signatures);
      const operations = served === undefined ? [] : model.operations(served.name);
      const failing = failingEverywhere(operations);
      if (failing.length > 0) throw new UnsupportedModel(failing);
      const unanswered = await withoutAnswer(modelDir, served);
      if (unanswered !== undefined) return unanswered;
    } catch (error) {
      if (error instanceof UnrestoredVariable || error instanceof UnsupportedModel)
        return describeRefusal(error);
    }
  }
  return undefined;
}

async function checkBundles(modelDir: string, engineModule: string): Promise<string | undefined> {
  const engine: Engine = await import(engineModule);
  for (const versionDir of await versionsOf(modelDir)) {
    try {
      const model = await engine.loadSavedModel(versionDir, { workers: 1 });
      const served = servedSignature(model.signatures);
      try {
        const unanswered = await withoutAnswer(modelDir, served);
        if (unanswered !== undefined) return unanswered;
        if (served !== undefined) await runOnZeros(model, served, ZEROS_MS);
      } finally {
        await model.close();
      }
    } catch (error) {
      if (error instanceof UnsupportedModel || error instanceof BrokenModel) return describeRefusal(error);
    }
  }
  return undefined;
}

/** Why no signature answers requests without a script. */
async function withoutAnswer(modelDir: string, served: Signature | undefined): Promise<string | undefined> {
  const reason = served && beyondRest(served);
  if (reason === undefined) return undefined;
  // A script may ask for another signature.
  return (await readHandlerScript(modelDir)).hasInferenceScript ? undefined : reason;
}

async function versionsOf(modelDir: string): Promise<readonly string[]> {
  return (await findModelBundles(modelDir)).flatMap(({ versions }) => [...versions.values()]);
}
