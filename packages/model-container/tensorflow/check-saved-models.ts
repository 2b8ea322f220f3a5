import { findModelBundles } from '@inferdrop/savedmodel/internal/model-bundles';
import { failingEverywhere } from '@inferdrop/savedmodel/internal/refused-operations';
import { runOnZeros } from '@inferdrop/savedmodel/internal/run-on-zeros';
import {
  BrokenModel,
  describeRefusal,
  type ServableModel,
  type Signature,
  UnrestoredVariable,
  UnsupportedModel,
} from '@inferdrop/savedmodel/servable-model';
import type { CheckChoice, CheckedModel } from '../container-kind.ts';
import { checkScript } from '../handlers/check-script.ts';
import { readHandlerScript } from '../handlers/handler-script.ts';
import { beyondRest, triedSignature } from './serving/beyond-rest.ts';

/** A loop of the model may never end on zeros. */
const ZEROS_MS = 5 * 60_000;

interface Engine {
  loadSavedModel(versionDir: string, options: { readonly workers: number }): Promise<ServableModel>;
}

/**
 * Converts an archive's SavedModels, runs each once on zeros, and reads the script.
 *
 * @returns why it cannot run them; undefined if it can
 */
export async function checkSavedModels(
  { image, modelDir }: CheckedModel,
  { handlers, engine, engineModule }: CheckChoice,
): Promise<string | undefined> {
  // TensorFlow itself runs every operation, but restores variables as TensorFlow Serving does.
  const refusal =
    engine === 'python' ? await checkVariables(modelDir) : await checkBundles(modelDir, engineModule);
  if (refusal !== undefined) return refusal;
  return handlers === 'python' ? undefined : checkScript(modelDir, image);
}

async function checkVariables(modelDir: string): Promise<string | undefined> {
  const { loadModel } = await import('@inferdrop/savedmodel/internal/load-model');
  for (const versionDir of await versionsOf(modelDir)) {
    try {
      const model = loadModel(versionDir);
      const served = triedSignature(model.signatures);
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
      const served = triedSignature(model.signatures);
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
