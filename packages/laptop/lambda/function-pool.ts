import { randomBytes } from 'node:crypto';
import { AwsError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { InvokeResult, LogWriter } from '../kernel/ports.ts';
import { type Fifo, fifo } from '../storage/fifo.ts';
import type { FunctionConfig } from './function-config.ts';
import { type FunctionInstance, type Outcome, startInstance } from './function-instance.ts';
import { invocationLog } from './invocation-log.ts';
import { type LogTail, logTail } from './log-tail.ts';
import type { WorkerSettings } from './worker-protocol.ts';

/** The instances of one version of a function: warm ones are used again, new ones come as long as the limit allows. */
export interface FunctionPool {
  /** Waits for a free instance, as one machine has fewer than AWS. */
  invoke(requestId: string, payload: Buffer): Promise<InvokeResult>;
  /** Takes no new invocations: those that run or wait still end, and their instances with them. */
  retire(): void;
  /** Ends at once what runs, refuses what waits. */
  close(): Promise<void>;
}

/** What a pool needs to start instances. */
export interface PoolOptions {
  readonly name: string;
  readonly version: string;
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
  /** Of the invocation that it works on, or has worked on last. */
  tail: LogTail;
  readonly instance: FunctionInstance;
  readonly logStream: string;
  cancelIdleEnd: (() => void) | undefined;
}

/** Makes an empty pool. */
export function createPool(options: PoolOptions): FunctionPool {
  const { config, clock } = options;
  const members = new Set<Member>();
  const idle: Member[] = [];
  const waiting: Fifo<Waiter> = fifo();
  let retired = false;

  const start = (): Member => {
    const day = new Date(clock.now()).toISOString().slice(0, 10).replaceAll('-', '/');
    const logStream = `${day}/[${options.version}]${randomBytes(16).toString('hex')}`;
    const write = (line: string): void => {
      const text = line.replace(/\n$/, '');
      member.tail.add(text);
      options.logs.write(config.logGroup, logStream, text);
    };
    const member: Member = {
      tail: logTail(),
      logStream,
      cancelIdleEnd: undefined,
      instance: startInstance({
        workerFile: options.workerFile,
        settings: toSettings(options, logStream),
        environment: options.environment(logStream),
        timeoutMs: config.timeoutSeconds * 1000,
        clock,
        log: write,
      }),
    };
    members.add(member);
    return member;
  };
  const end = (member: Member): void => {
    members.delete(member);
    void member.instance.end();
  };
  const acquire = (): Promise<Member> | Member => {
    for (let warm = idle.pop(); warm; warm = idle.pop()) {
      warm.cancelIdleEnd?.();
      if (!warm.instance.ended) return warm;
      // It died between invocations, of an unhandled error.
      members.delete(warm);
    }
    if (members.size < options.maxInstances) return start();
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  };
  const release = (member: Member): void => {
    const next = waiting.shift();
    if (member.instance.ended) {
      members.delete(member);
      if (next) next.resolve(start());
    } else if (next) next.resolve(member);
    else if (retired) end(member);
    else {
      idle.push(member);
      member.cancelIdleEnd = clock.after(options.idleMs, () => {
        idle.splice(idle.indexOf(member), 1);
        end(member);
      });
    }
  };

  return {
    invoke: async (requestId, payload) => {
      const member = await acquire();
      const tail = logTail();
      member.tail = tail;
      const log = invocationLog(config, options.version, requestId, (line) => {
        tail.add(line);
        options.logs.write(config.logGroup, member.logStream, line);
      });
      log.start(clock.now());
      let outcome: Outcome;
      try {
        outcome = await member.instance.invoke(requestId, payload);
      } finally {
        release(member);
      }
      log.end(clock.now(), outcome);
      return {
        payload: outcome.payload,
        requestId,
        logTail: tail.bytes,
        ...(outcome.failed ? { functionError: 'Unhandled' } : {}),
      };
    },
    retire: () => {
      retired = true;
      for (const member of idle.splice(0)) {
        member.cancelIdleEnd?.();
        end(member);
      }
    },
    close: async () => {
      for (let waiter = waiting.shift(); waiter; waiter = waiting.shift()) waiter.reject(stopping());
      for (const { cancelIdleEnd } of members) cancelIdleEnd?.();
      await Promise.all([...members].map(({ instance }) => instance.end()));
      members.clear();
      idle.length = 0;
    },
  };
}

function toSettings(
  { config, codeFolder, name, version, arn }: PoolOptions,
  logStream: string,
): WorkerSettings {
  const [, modulePath = '', exportName = ''] = /^(.*)\.([^./]+)$/.exec(config.handler) ?? [];
  return {
    modulePath: `${codeFolder}/${modulePath}`,
    exportName,
    cacheFolder: `${codeFolder}.cache`,
    functionName: name,
    functionVersion: version,
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
