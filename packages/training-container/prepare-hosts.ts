import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostHyperparameters, inputDataConfig, resourceConfig } from './config-files.ts';
import { entryPointProblem } from './entry-point.ts';
import { configFolder, hostFolders, hostNames, insideView } from './host-layout.ts';
import { requireExactHosts } from './hosts/find-namespaces.ts';
import { hyperparameterProblems, splitHyperparameters } from './hyperparameters.ts';
import { chooseLauncher } from './launcher.ts';
import { type HostFolders, TrainingRefused, type TrainingRequest } from './training-request.ts';

/**
 * Makes `/opt/ml` of every host below the job's root, with the three files of `input/config`. Channels, checkpoints and the source
 * are put there by the caller.
 *
 * @throws {TrainingRefused} with every mistake that the request itself shows
 */
export async function prepareHosts(
  request: TrainingRequest,
  platform: NodeJS.Platform = process.platform,
): Promise<readonly HostFolders[]> {
  const problems = requestProblems(request, platform);
  if (problems.length > 0) throw new TrainingRefused(problems);
  if (request.mode === 'exact') await requireExactHosts();
  const all = hostNames(request.hostCount).map((host) => hostFolders(request.root, host));
  await Promise.all(all.map((folders) => prepareHost(request, folders, platform)));
  return all;
}

function requestProblems(request: TrainingRequest, platform: NodeJS.Platform): readonly string[] {
  const { reserved, framework, user } = splitHyperparameters(request.hyperparameters);
  const hasToolkit = request.command === undefined;
  const entryPoint = hasToolkit ? entryPointProblem(reserved.get('sagemaker_program')) : undefined;
  return [
    ...(platform === 'win32'
      ? [
          'training jobs need pipes and process groups, which Windows has not: run the stack in WSL, on Linux or on macOS',
        ]
      : []),
    ...(entryPoint === undefined ? [] : [entryPoint]),
    ...hyperparameterProblems(request.hyperparameters),
    ...(hasToolkit ? chooseLauncher(framework, user, request).problems : []),
    ...(reserved.has('sagemaker_s3_output')
      ? [
          'HyperParameters.sagemaker_s3_output: files of output/intermediate are not uploaded while a job runs on ' +
            'this machine: leave it out, and write to output/data or checkpoints',
        ]
      : []),
    ...request.channels
      .filter(({ inputMode, open }) => (inputMode === 'Pipe') !== (open !== undefined))
      .map(
        ({ name, inputMode }) =>
          `channel ${name}: \`open\` belongs only to Pipe mode, InputMode is ${inputMode}`,
      ),
  ];
}

async function prepareHost(
  request: TrainingRequest,
  folders: HostFolders,
  platform: NodeJS.Platform,
): Promise<void> {
  const { host, optMl, data, model, outputData, code, checkpoints } = folders;
  const inside = insideView(request, folders, platform);
  const config = configFolder(optMl);
  for (const folder of [config, data, model, outputData, code, checkpoints])
    await mkdir(folder, { recursive: true });
  const documents = {
    'hyperparameters.json': hostHyperparameters(request.hyperparameters, inside.optMl),
    'inputdataconfig.json': inputDataConfig(request),
    'resourceconfig.json': resourceConfig(request, host, inside.networkInterface),
  };
  for (const [name, document] of Object.entries(documents))
    await writeFile(join(config, name), JSON.stringify(document));
}
