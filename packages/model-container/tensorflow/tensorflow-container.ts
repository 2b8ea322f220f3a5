import { fileURLToPath } from 'node:url';
import type { ContainerKind } from '../container-kind.ts';
import { requireEngine } from '../python-environments/engine-environment.ts';
import { handlerEnvironment } from '../python-environments/handler-environment.ts';
import { checkSavedModels } from './check-saved-models.ts';

/** Packages that the TensorFlow image has installed for its scripts. */
const IMAGE = ['requests'];

/** TensorFlow Serving's stand-in. Its scripts run in Pyodide or in Python. */
export const tensorflow: ContainerKind = {
  repositories: ['tensorflow-inference', 'tensorflow-inference-graviton', 'sagemaker-tensorflow-serving'],
  entry: fileURLToPath(import.meta.resolve('#model-container/tensorflow/container-process.ts')),
  needs: null,
  scriptsRunIn: ({ handlers }) => handlers,
  preparePython: async ({ modelDir, log }, { handlers, engine, environmentsDir }, { hasScript }) => ({
    ...(engine === 'python' && { engine: requireEngine('tensorflow').python }),
    ...(handlers === 'python' &&
      hasScript && { handlers: await handlerEnvironment({ modelDir, environmentsDir, image: IMAGE, log }) }),
  }),
  check: checkSavedModels,
};
