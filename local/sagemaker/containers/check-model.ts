import type { ContainerHostOptions } from './container-host.ts';
import { engineModuleOf } from './container-host.ts';
import { checkScript } from './handlers/check-script.ts';
import { resolveContainerKind } from './image.ts';
import { describeEngine } from './python-environments/engine-environment.ts';
import {
  RUN_IN_TENSORFLOW,
  UnsupportedModel,
  type ServableModel,
} from './tensorflow/engine/servable-model.ts';
import { runOnZeros } from './tensorflow/engine/run-on-zeros.ts';
import { findModelBundles } from './tensorflow/model-bundles.ts';

/** An unpacked archive and the image that would serve it. */
export interface CheckedModel {
  readonly image: string;
  readonly modelDir: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Why the containers of this stack cannot run a model that AWS could, with the remedy; undefined where they can. What fails in AWS
 * as well, such as a damaged model or a script with an error in it, is left to the job, as there.
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
    // TensorFlow itself runs every operation.
    const unsupported =
      engine === 'python' ? undefined : await checkBundles(modelDir, engineModuleOf(options));
    if (unsupported !== undefined) return unsupported;
    return handlers === 'python' ? undefined : checkScript(modelDir, environment);
  };
}

async function checkBundles(modelDir: string, engineModule: string): Promise<string | undefined> {
  const engine: Engine = await import(engineModule);
  for (const { versions } of await findModelBundles(modelDir)) {
    for (const versionDir of versions.values()) {
      try {
        const model = await engine.loadSavedModel(versionDir, { workers: 1 });
        const served = model.signatures.find(({ name }) => name === 'serving_default') ?? model.signatures[0];
        try {
          if (served !== undefined) await runOnZeros(model, served, ZEROS_MS);
        } finally {
          await model.close();
        }
      } catch (error) {
        if (error instanceof UnsupportedModel) return `${error.message}: ${RUN_IN_TENSORFLOW}`;
      }
    }
  }
  return undefined;
}
