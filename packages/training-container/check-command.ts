import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckedSource } from './check-source.ts';
import { findLiteralPaths } from './literal-paths.ts';
import { type HostFolders, TrainingRefused, type TrainingRequest } from './training-request.ts';

/**
 * Looks at what a command of the job's own reads scripts from, before anything starts: the channels that it names.
 *
 * @throws {TrainingRefused} with what in them this machine cannot run
 */
export async function checkCommand(
  request: Pick<TrainingRequest, 'framework' | 'mode'>,
  { data }: HostFolders,
  command: readonly string[],
): Promise<CheckedSource> {
  const text = command.join(' ');
  const channels = (await readdir(data)).filter((name) => text.includes(`/opt/ml/input/data/${name}`));
  const problems = await Promise.all(
    channels.map(async (name) =>
      (await findLiteralPaths(join(data, name), request)).map((problem) => `channel ${name}: ${problem}`),
    ),
  );
  if (problems.flat().length > 0) throw new TrainingRefused(problems.flat());
  return { program: command[0] ?? '', kind: 'command' };
}
