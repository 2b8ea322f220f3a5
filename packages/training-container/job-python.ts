import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '@inferdrop/model-container/internal/run-tool';
import { pythonFile } from './python-path.ts';

/** The interpreter of one job, and the folders of its commands. */
export interface JobPython {
  readonly python: string;
  /** Beginning of PATH: commands of the job's environment, and then of those below it. */
  readonly path: string;
}

/**
 * Makes an environment of the job's own on top of an interpreter's: scripts and their child processes get its `python`, `pip` and
 * `torchrun`, and their installations go with the job.
 */
export async function makeJobPython(base: string, root: string): Promise<JobPython> {
  const folder = join(root, 'environment');
  const made = await runTool(base, ['-E', pythonFile('inferdrop_job_environment.py'), folder]);
  if (made.code !== 0) throw new Error(`${base} cannot make the environment of the job: ${made.output}`);
  return { python: join(folder, 'bin', 'python'), path: await readFile(join(folder, 'PATH'), 'utf8') };
}
