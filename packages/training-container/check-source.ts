import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type EntryPointKind, entryPointKind, moduleProblem } from './entry-point.ts';
import { splitHyperparameters } from './hyperparameters.ts';
import type { Launcher } from './launcher.ts';
import { findLiteralPaths } from './literal-paths.ts';
import { toPythonText } from './python-text.ts';
import { needsInstall } from './requirements.ts';
import { type HostFolders, TrainingRefused, type TrainingRequest } from './training-request.ts';

/** The source that the hosts start, once it is known that this machine can. */
export interface CheckedSource {
  /** `sagemaker_program`, or the first word of a command of the job's own. */
  readonly program: string;
  readonly kind: EntryPointKind;
}

/**
 * Looks at the source of the first host (all have the same) before anything starts.
 *
 * @throws {TrainingRefused} with everything in it that this machine cannot run
 */
export async function checkSource(
  request: TrainingRequest,
  { code }: HostFolders,
  launcher: Launcher,
): Promise<CheckedSource> {
  const program = toPythonText(
    splitHyperparameters(request.hyperparameters).reserved.get('sagemaker_program') ?? '',
  );
  const kind = entryPointKind(program, existsSync(join(code, 'setup.py')));
  const problems = [
    ...(await entryProblems(program, kind, code, launcher)),
    ...(await findLiteralPaths(code, request)),
  ];
  if (request.networkIsolation && needsInstall(kind, code))
    problems.push(
      'requirements.txt or setup.py: pip reaches no package index, because the job has EnableNetworkIsolation: train ' +
        'without isolation, or put the packages into the source folder and remove the file',
    );
  if (problems.length > 0) throw new TrainingRefused(problems);
  return { program, kind };
}

async function entryProblems(
  program: string,
  kind: EntryPointKind,
  code: string,
  launcher: Launcher,
): Promise<readonly string[]> {
  const problems: string[] = [];
  if (kind === 'module') {
    const module = moduleProblem(program);
    if (module !== undefined) problems.push(module);
  } else if (!(await isInside(code, program))) {
    problems.push(
      `HyperParameters.sagemaker_program must name a file of the source folder, is ${JSON.stringify(program)}, which ` +
        'is not there: name another, or add it to source_dir',
    );
  }
  if (kind !== 'script' && (launcher.kind === 'torchrun' || launcher.kind === 'mpi'))
    problems.push(
      `HyperParameters.sagemaker_program must be a Python script with ${launcher.kind}, is a ${kind} ` +
        `(${JSON.stringify(program)}): name a .py file, in a source folder without setup.py`,
    );
  return problems;
}

/** Links may lead out of the source folder; the container refuses that as well. */
async function isInside(code: string, program: string): Promise<boolean> {
  try {
    const [folder, file] = await Promise.all([realpath(code), realpath(join(code, program))]);
    return file.startsWith(folder + sep);
  } catch {
    return false;
  }
}
