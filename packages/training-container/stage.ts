import { ErrorCollector } from './error-message.ts';
import type { ScriptFailure } from './failure-reason.ts';
import { type HostProcess, startHostProcess } from './host-process.ts';
import type { JobHosts } from './hosts/job-hosts.ts';
import type { HostPlan } from './job-plan.ts';
import type { TrainingRequest } from './training-request.ts';

interface StartOptions {
  readonly command: readonly string[];
  /** Beside the host's own. */
  readonly variables?: Readonly<Record<string, string>>;
  /** A server beside the script: it is not asked to end, but killed when the scripts have ended. */
  readonly isServer?: boolean;
  /** Takes a line before it is logged for the host; `undefined` keeps it out. */
  readonly onLine?: (
    line: string,
    from: 'stdout' | 'stderr',
  ) => { readonly host?: string; readonly text: string } | undefined;
}

/** How a script of a host ended. */
export interface ScriptEnd {
  readonly host: string;
  /** 128 + n where signal n ended it. */
  readonly exitCode: number;
  readonly failure: ScriptFailure;
}

export interface StartedProcess {
  readonly ended: Promise<ScriptEnd>;
  kill(): void;
}

/** A host's part of a job. It ends early where one of several processes fails: the job stops the others. */
export interface HostRun {
  readonly host: string;
  readonly ended: Promise<ScriptEnd>;
}

/** What launchers start processes with. */
export interface Stage {
  /** In the order of `SM_HOSTS`. */
  readonly plans: readonly HostPlan[];
  readonly hosts: JobHosts;
  /** With what `requirements.txt` asks for. */
  readonly python: string;
  readonly stopping: boolean;
  start(plan: HostPlan, options: StartOptions): StartedProcess;
  log(host: string, line: string): void;
  /** SIGTERM to every script; SIGKILL to all that is left after `graceMs`. */
  stop(graceMs: number): void;
  /** Resolves when every process has ended. */
  empty(): Promise<void>;
}

const TAG = /^\[[^\]]*1,\d+\]<std(?:out|err)>:? ?/;

/** PyTorch's container takes this end of Gloo for the end of its peers, and reports success. */
const KNOWN_GLOO_ABORT = "terminate called after throwing an instance of 'gloo::EnforceNotMet'";

export interface StageOptions extends Pick<Stage, 'plans' | 'hosts' | 'python' | 'log'> {
  readonly framework: TrainingRequest['framework'];
}

export function createStage({ plans, hosts, python, log, framework }: StageOptions): Stage {
  const running = new Map<HostProcess, StartOptions>();
  const ends = new Set<Promise<unknown>>();
  let killing: NodeJS.Timeout | undefined;
  const kill = (): void => {
    for (const process of running.keys()) process.signal('SIGKILL');
    // What has left the groups.
    void hosts.end();
  };
  const start = (plan: HostPlan, options: StartOptions): StartedProcess => {
    const errors = new ErrorCollector(framework);
    const process = startHostProcess({
      command: options.command,
      behind: hosts.behind(plan.host),
      cwd: plan.inside.code,
      environment: { ...plan.variables, ...options.variables },
      onLine(line, from) {
        const heard = options.onLine ? options.onLine(line, from) : { text: line };
        if (heard === undefined) return;
        // The toolkit takes the tags of mpirun off before it looks for errors.
        errors.hear(line.replace(TAG, ''), from);
        log(heard.host ?? plan.host, heard.text);
      },
    });
    running.set(process, options);
    const ended = process.ended.then(({ exitCode, returnCode }): ScriptEnd => {
      running.delete(process);
      const { message, errorClass } = errors;
      const known = framework === 'pytorch' && message.includes(KNOWN_GLOO_ABORT);
      if (known) log(plan.host, `Known exception: ${message}`);
      return {
        host: plan.host,
        exitCode: known ? 0 : exitCode,
        failure: { errorClass, returnCode, message, command: options.command },
      };
    });
    ends.add(ended);
    return { ended, kill: () => process.signal('SIGKILL') };
  };
  return {
    plans,
    hosts,
    python,
    get stopping() {
      return killing !== undefined;
    },
    start,
    log,
    stop(graceMs) {
      if (killing !== undefined) return;
      for (const [process, { isServer = false }] of running) if (!isServer) process.signal('SIGTERM');
      killing = setTimeout(kill, graceMs);
    },
    async empty() {
      let seen = 0;
      while (seen < ends.size) {
        seen = ends.size;
        await Promise.all(ends);
      }
      clearTimeout(killing);
    },
  };
}
