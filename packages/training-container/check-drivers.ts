import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '@inferdrop/model-container/internal/run-tool';
import { type HostFolders, TrainingRefused } from './training-request.ts';

/** Program that prints `pip freeze` in one line, without starting pip. */
const FREEZE = `
from importlib.metadata import distributions
print("packages", *sorted({"%s==%s" % (one.metadata["Name"], one.version) for one in distributions()}, key=str.lower))
`;

/** Packages that a Python finds, with their versions: `numpy==2.3.1 torch==2.13.0`; empty for one before 3.8, which cannot say. */
export async function installedPackages(python: string): Promise<string> {
  const { output } = await runTool(python, ['-c', FREEZE]);
  return /^packages (.*)$/m.exec(output)?.[1] ?? '';
}

/**
 * Looks at the drivers of the SDK's version 3 before anything starts. Its `MPI()` is for containers: it starts `/usr/sbin/sshd` and
 * appends all variables to `/etc/environment`, credentials among them, which both are the machine's here, on exact hosts too.
 *
 * @throws {TrainingRefused} where they would start it
 */
export async function checkDrivers({ data }: Pick<HostFolders, 'data'>): Promise<void> {
  const script = join(data, 'sm_drivers', 'sm_train.sh');
  if (existsSync(script) && (await readFile(script, 'latin1')).includes('/mpi_driver.py'))
    throw new TrainingRefused([
      "channel sm_drivers: MPI() of ModelTrainer starts an SSH server and writes the job's variables into " +
        "/etc/environment, which are this machine's own: use Torchrun(), or version 2 of the SDK with " +
        'distribution={"mpi": {"enabled": True}}',
    ]);
}
