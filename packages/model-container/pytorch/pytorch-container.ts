import { fileURLToPath } from 'node:url';
import type { ContainerKind } from '../container-kind.ts';
import { requireEngine } from '../python-environments/engine-environment.ts';
import { handlerEnvironment } from '../python-environments/handler-environment.ts';

/** AWS's own toolkit, in an environment with PyTorch. */
export const pytorch: ContainerKind = {
  repositories: ['pytorch-inference', 'pytorch-inference-graviton', 'sagemaker-pytorch'],
  entry: fileURLToPath(import.meta.resolve('#model-container/pytorch/container-process.ts')),
  needs: 'pytorch',
  scriptsRunIn: () => 'python',
  preparePython: async ({ modelDir, log }, { environmentsDir }, { hasOwnPackages }) => {
    const { dir, python } = requireEngine('pytorch');
    if (!hasOwnPackages) return { engine: python };
    return {
      engine: await handlerEnvironment({ modelDir, environmentsDir, image: [], parent: dir, log }),
    };
  },
  // The toolkit loads any file by a script; only the job tells whether it succeeds.
  check: () => Promise.resolve(undefined),
};
