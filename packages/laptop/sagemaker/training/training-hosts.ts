import { describeEngine, requireEngine } from '@inferdrop/model-container/engine-environment';
import { prepareHosts } from '@inferdrop/training-container/prepare-hosts';
import { runHosts } from '@inferdrop/training-container/run-hosts';
import type {
  HostFolders,
  TrainingEnd,
  TrainingRequest,
} from '@inferdrop/training-container/training-request';

/** One job, as its hosts need it; which Python runs them, they know themselves. */
export type HostsRequest = Omit<TrainingRequest, 'python' | 'environmentsDir'>;

/** What runs the hosts of training jobs. */
export interface TrainingHosts {
  /** Why jobs of a framework cannot run here, with the remedy; undefined where they can. */
  problemOf(framework: TrainingRequest['framework']): string | undefined;
  /**
   * Makes `/opt/ml` of every host.
   *
   * @throws {TrainingRefused} for what the request alone shows to be wrong
   */
  prepare(request: HostsRequest): Promise<readonly HostFolders[]>;
  /**
   * Runs the script on all hosts; resolves when all have ended. `stop` sends SIGTERM, and SIGKILL after the grace.
   *
   * @throws {TrainingRefused} before anything starts, for what the source shows to be wrong
   */
  run(
    request: HostsRequest,
    folders: readonly HostFolders[],
    on: { readonly line: (host: string, text: string) => void },
    stop: AbortSignal,
  ): Promise<TrainingEnd>;
}

/**
 * Hosts as processes of this machine, in the Python that `inferdrop containers install` made for the framework.
 *
 * @param environmentsDir of the environments that `requirements.txt` asks for
 */
export function processHosts(environmentsDir: string): TrainingHosts {
  const complete = (request: HostsRequest): TrainingRequest => ({
    ...request,
    environmentsDir,
    python: requireEngine(request.framework).python,
  });
  return {
    problemOf: (framework) => {
      const { installed, dir } = describeEngine(framework);
      return installed
        ? undefined
        : `${framework} is not installed (${dir} is not there): run "inferdrop containers install ${framework}"`;
    },
    prepare: async (request) => prepareHosts(complete(request)),
    run: async (request, folders, on, stop) => runHosts(complete(request), folders, on, stop),
  };
}
