import { ErrorCollector } from './error-message.ts';
import type { ScriptFailure } from './failure-reason.ts';
import { FRAMEWORKS } from './frameworks.ts';
import { type HostProcess, startHostProcess } from './host-process.ts';
import type { JobHosts } from './hosts/job-hosts.ts';
import type { HostPlan } from './job-plan.ts';
import type { TrainingRequest } from './training-request.ts';

interface StartOptions {
  readonly command: readonly string[];
  /** Next to the host's own. */
  readonly variables?: Readonly<Record<string, string>>;
  /** A server next to the script: it is not asked to end, but killed when the scripts have ended. */
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

/** A process that a launcher has started; `kill` sends SIGKILL to it and its children. */
export interface StartedProcess {
  readonly ended: Promise<ScriptEnd>;
  kill(): void;
}

/** A host's part of a job. It finishes early if one of several processes fails: the job stops the others. */
export interface HostRun {
  readonly host: string;
  readonly ended: Promise<ScriptEnd>;
}

const TAG = /^\[[^\]]*1,\d+\]<std(?:out|err)>:? ?/;

interface StageOptions {
  /** In the order of `SM_HOSTS`. */
  readonly plans: readonly HostPlan[];
  readonly hosts: JobHosts;
  /** With the packages of `requirements.txt`. */
  readonly python: string;
  readonly framework: TrainingRequest['framework'];
  readonly log: (host: string, line: string) => void;
}

/** Tools with which launchers start processes. */
export class Stage {
  readonly plans: readonly HostPlan[];
  readonly hosts: JobHosts;
  readonly python: string;
  readonly log: StageOptions['log'];
  readonly #framework: TrainingRequest['framework'];
  readonly #running = new Map<HostProcess, StartOptions>();
  readonly #ends = new Set<Promise<unknown>>();
  #killing: NodeJS.Timeout | undefined;

  constructor({ plans, hosts, python, framework, log }: StageOptions) {
    this.plans = plans;
    this.hosts = hosts;
    this.python = python;
    this.log = log;
    this.#framework = framework;
  }

  get stopping(): boolean {
    return this.#killing !== undefined;
  }

  start(plan: HostPlan, options: StartOptions): StartedProcess {
    const errors = new ErrorCollector(this.#framework);
    const process = startHostProcess({
      command: options.command,
      behind: this.hosts.behind(plan.host),
      cwd: plan.inside.code,
      environment: { ...plan.variables, ...options.variables },
      onLine: (line, from) => {
        const heard = options.onLine ? options.onLine(line, from) : { text: line };
        if (heard === undefined) return;
        // The toolkit takes the tags of mpirun off before it looks for errors.
        errors.hear(line.replace(TAG, ''), from);
        this.log(heard.host ?? plan.host, heard.text);
      },
    });
    this.#running.set(process, options);
    const ended = process.ended.then(({ exitCode, returnCode }): ScriptEnd => {
      this.#running.delete(process);
      const { message, errorClass } = errors;
      const { ignoredAbort } = FRAMEWORKS[this.#framework];
      const known = ignoredAbort !== undefined && message.includes(ignoredAbort);
      if (known) this.log(plan.host, `Known exception: ${message}`);
      return {
        host: plan.host,
        exitCode: known ? 0 : exitCode,
        failure: { errorClass, returnCode, message, command: options.command },
      };
    });
    this.#ends.add(ended);
    return { ended, kill: () => process.signal('SIGKILL') };
  }

  /** SIGTERM to every script; SIGKILL to all that is left after `graceMs`. */
  stop(graceMs: number): void {
    if (this.stopping) return;
    for (const [process, { isServer = false }] of this.#running) if (!isServer) process.signal('SIGTERM');
    this.#killing = setTimeout(() => this.#kill(), graceMs);
  }

  /** Resolves when every process has ended. */
  async empty(): Promise<void> {
    let seen = 0;
    while (seen < this.#ends.size) {
      seen = this.#ends.size;
      await Promise.all(this.#ends);
    }
    clearTimeout(this.#killing);
  }

  #kill(): void {
    for (const process of this.#running.keys()) process.signal('SIGKILL');
    // What has left the groups.
    void this.hosts.end();
  }
}
