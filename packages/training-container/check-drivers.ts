import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type HostFolders, TrainingRefused } from './training-request.ts';

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
