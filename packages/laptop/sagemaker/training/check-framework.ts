import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvironmentFailed } from '@inferdrop/model-container/build-environment';
import type { EngineEnvironment } from '@inferdrop/model-container/engine-environment';
import { runTool } from '@inferdrop/model-container/run-tool';
import { makeJobPython } from '@inferdrop/training-container/job-python';

/**
 * Imports a framework's modules as a training job does: in an environment of the job's own on top of the framework's.
 *
 * @throws {EnvironmentFailed} if one of them can't be imported there
 */
export async function checkFramework({ dir, python, name, imports }: EngineEnvironment): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'inferdrop-check-'));
  try {
    const job = await makeJobPython(python, root);
    const { code, output } = await runTool(job.python, ['-c', `import ${imports.join(', ')}`]);
    if (code === 0) return;
    const reason = output.trim().split('\n').at(-1);
    throw new EnvironmentFailed(
      `a training job can't import ${imports.join(', ')} of ${dir}: ${reason}. Remove the folder, then run "inferdrop containers install ${name}" again`,
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
