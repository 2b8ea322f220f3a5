import { randomBytes } from 'node:crypto';
import { AwsError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { InvokeResult, LogWriter } from '../kernel/ports.ts';
import { type Fifo, fifo } from '../storage/fifo.ts';
import type { FunctionConfig } from './function-config.ts';
import { FunctionInstance, type Outcome } from './function-instance.ts';
import { LATEST } from './function-reference.ts';
import { invocationLog, type LogTail, logTail } from './invocation-log.ts';
import type { WorkerSettings } from './worker-protocol.ts';

/** How long an instance stays warm next to another one: its memory is needed elsewhere once a burst is over. */
const SURPLUS_IDLE_MS = 5_000;

/** Dependencies of a pool that starts instances. */
export interface PoolOptions {
  readonly name: string;
  readonly arn: string;
  readonly config: FunctionConfig;
  /** Absolute. */
  readonly codeFolder: string;
  readonly workerFile: string;
  readonly environment: (logStream: string) => Readonly<Record<string, string>>;
  readonly maxInstances: number;
  readonly idleMs: number;
  readonly clock: Clock;
  readonly logs: LogWriter;
}

interface Waiter {
  readonly resolve: (member: Member) => void;
  readonly reject: (error: Error) => void;
}

interface Member {
  /** Log of the invocation that it works on, or has worked on last. */
  tail: LogTail;
  readonly instance: FunctionInstance;
  readonly logStream: string;
  cancelIdleEnd: (() => void) | undefined;
}

/** The instances of a function: warm ones are used again, new ones come as long as the limit allows. */
export class FunctionPool {
  readonly #options: PoolOptions;
  readonly #members = new Set<Member>();
  readonly #idle: Member[] = [];
  readonly #waiting: Fifo<Waiter> = fifo();
  #retired = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Waits for a free instance, as one machine has fewer than AWS. */
  async invoke(requestId: string, payload: Buffer): Promise<InvokeResult> {
    const { config, logs, clock } = this.#options;
    const member = await this.#acquire();
    const tail = logTail();
    member.tail = tail;
    const log = invocationLog(config, requestId, (line) => {
      tail.add(line);
      logs.write(config.logGroup, member.logStream, line);
    });
    log.start(clock.now());
    let outcome: Outcome;
    try {
      outcome = await member.instance.invoke(requestId, payload);
    } finally {
      this.#release(member);
    }
    log.end(clock.now(), outcome);
    return {
      payload: outcome.payload,
      requestId,
      logTail: tail.bytes,
      ...(outcome.failed ? { functionError: 'Unhandled' } : {}),
    };
  }

  /** Takes no new invocations: those that run or wait still end, and their instances with them. */
  retire(): void {
    this.#retired = true;
    for (const member of this.#idle.splice(0)) {
      member.cancelIdleEnd?.();
      this.#end(member);
    }
  }

  /** Stops running invocations at once and refuses waiting ones. */
  async close(): Promise<void> {
    for (let waiter = this.#waiting.shift(); waiter; waiter = this.#waiting.shift())
      waiter.reject(stopping());
    for (const { cancelIdleEnd } of this.#members) cancelIdleEnd?.();
    await Promise.all([...this.#members].map(({ instance }) => instance.end()));
    this.#members.clear();
    this.#idle.length = 0;
  }

  #acquire(): Promise<Member> | Member {
    for (let warm = this.#idle.pop(); warm; warm = this.#idle.pop()) {
      warm.cancelIdleEnd?.();
      if (!warm.instance.ended) return warm;
      // It died between invocations, of an unhandled error.
      this.#members.delete(warm);
    }
    if (this.#members.size < this.#options.maxInstances) return this.#start();
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #release(member: Member): void {
    const next = this.#waiting.shift();
    if (member.instance.ended) {
      this.#members.delete(member);
      if (next) next.resolve(this.#start());
    } else if (next) next.resolve(member);
    else if (this.#retired) this.#end(member);
    else {
      const { clock, idleMs } = this.#options;
      const warmMs = this.#idle.length === 0 ? idleMs : Math.min(idleMs, SURPLUS_IDLE_MS);
      this.#idle.push(member);
      member.cancelIdleEnd = clock.after(warmMs, () => {
        this.#idle.splice(this.#idle.indexOf(member), 1);
        this.#end(member);
      });
    }
  }

  #start(): Member {
    const { config, workerFile, clock, logs } = this.#options;
    const day = new Date(clock.now()).toISOString().slice(0, 10).replaceAll('-', '/');
    const logStream = `${day}/[${LATEST}]${randomBytes(16).toString('hex')}`;
    const instance = new FunctionInstance({
      workerFile,
      settings: toSettings(this.#options, logStream),
      environment: this.#options.environment(logStream),
      timeoutMs: config.timeoutSeconds * 1000,
      clock,
      log: (line) => {
        const text = line.replace(/\n$/, '');
        member.tail.add(text);
        logs.write(config.logGroup, logStream, text);
      },
    });
    const member: Member = { tail: logTail(), logStream, cancelIdleEnd: undefined, instance };
    this.#members.add(member);
    return member;
  }

  #end(member: Member): void {
    this.#members.delete(member);
    void member.instance.end();
  }
}

function toSettings({ config, codeFolder, name, arn }: PoolOptions, logStream: string): WorkerSettings {
  const [, modulePath = '', exportName = ''] = /^(.*)\.([^./]+)$/.exec(config.handler) ?? [];
  return {
    modulePath: `${codeFolder}/${modulePath}`,
    exportName,
    cacheFolder: `${codeFolder}.cache`,
    functionName: name,
    functionVersion: LATEST,
    invokedFunctionArn: arn,
    memoryMb: config.memoryMb,
    logGroup: config.logGroup,
    logStream,
    logFormat: config.logFormat,
    logLevel: config.applicationLogLevel,
  };
}

function stopping(): AwsError {
  return new AwsError('ServiceUnavailableException', 'The stack is stopping.', { statusCode: 503 });
}
