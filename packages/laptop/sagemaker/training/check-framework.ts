import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvironmentFailed } from '@inferdrop/model-container/internal/build-environment';
import type { EngineEnvironment } from '@inferdrop/model-container/internal/engine-environment';
import { runTool } from '@inferdrop/model-container/internal/run-tool';
import { makeJobPython } from '@inferdrop/training-container/internal/job-python';

/** Modules that scripts import of each framework. */
const MODULES: Readonly<Record<EngineEnvironment['name'], string>> = {
  tensorflow: 'tensorflow, tf_keras',
  pytorch: 'torch, torchvision',
  'tensorflow-horovod': 'tensorflow, horovod.tensorflow, mpi4py',
};

/**
 * Imports a framework's modules as a training job does: in an environment of the job's own on top of the framework's.
 *
 * @throws {EnvironmentFailed} if one of them can't be imported there
 */
export async function checkFramework({ dir, python, name }: EngineEnvironment): Promise<void> {
  // It has no training jobs.
  if (process.platform === 'win32') return;
  const root = await mkdtemp(join(tmpdir(), 'inferdrop-check-'));
  try {
    const job = await makeJobPython(python, root);
    const { code, output } = await runTool(job.python, ['-c', `import ${MODULES[name]}`]);
    if (code !== 0)
      throw new EnvironmentFailed(
        `a training job can't import ${MODULES[name]} of ${dir}: ${output.trim().split('\n').at(-1)}. Remove the ` +
          `folder, then run "inferdrop containers install ${name}" again`,
      );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
