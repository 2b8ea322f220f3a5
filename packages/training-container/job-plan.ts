import { availableParallelism } from 'node:os';
import { hostHyperparameters, inputDataConfig, resourceConfig } from './config-files.ts';
import { type EntryPointKind, scriptCommand } from './entry-point.ts';
import { FRAMEWORKS } from './frameworks.ts';
import { type InsideView, insideView, toHostPaths } from './host-layout.ts';
import { hostVariables } from './host-variables.ts';
import type { JobHosts } from './hosts/job-hosts.ts';
import { splitHyperparameters } from './hyperparameters.ts';
import { scriptArguments } from './script-arguments.ts';
import { smEnvironment } from './sm-environment.ts';
import type { HostFolders, TrainingRequest } from './training-request.ts';

/** The program that each host starts, before any launcher adds its own. */
export interface HostPlan {
  readonly host: string;
  readonly folders: HostFolders;
  readonly inside: InsideView;
  readonly program: string;
  readonly kind: EntryPointKind;
  /** Arguments of the script. */
  readonly args: readonly string[];
  /** The command of a single process. */
  readonly command: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** Findings about the source before the start. */
export interface SourcePlan {
  readonly program: string;
  readonly kind: EntryPointKind;
  /** With the packages of `requirements.txt`. */
  readonly python: string;
  /** Folders of its commands. */
  readonly path: string;
}

/** Plans one host: its view of `/opt/ml`, its variables, and the command, which is the job's own where the request has one. */
export function planHost(
  request: TrainingRequest,
  folders: HostFolders,
  { program, kind, python, path }: SourcePlan,
  hosts: JobHosts,
): HostPlan {
  const inside = insideView(request, folders);
  const hyperparameters = splitHyperparameters(hostHyperparameters(request.hyperparameters, inside.optMl));
  const cpus = availableParallelism();
  const own = request.command?.map((word) => toHostPaths(word, inside.optMl));
  const sm =
    own !== undefined
      ? {}
      : smEnvironment({
          optMl: inside.optMl,
          hyperparameters,
          resources: resourceConfig(request, folders.host, inside.networkInterface),
          inputs: inputDataConfig(request),
          jobName: request.name,
          frameworkModule: FRAMEWORKS[request.framework].module,
          cpus,
          gpus: request.gpusPerHost,
        });
  const args = scriptArguments(hyperparameters.user);
  return {
    host: folders.host,
    folders,
    inside,
    program,
    kind,
    args,
    command: own ?? scriptCommand(kind, python, program, args),
    variables: hostVariables({ request, folders, inside, hosts, cpus, sm, path }),
  };
}
