import type {
  ExecutionDescription,
  ExecutionEvent,
  Executions,
  ExecutionStatus,
} from '../../src/aws/states/executions.ts';
import { isAlive } from '../../src/run/execution-status.ts';

interface MemoryExecution {
  name: string;
  arn: string;
  input: string;
  status: ExecutionStatus;
  startedAt: Date;
  endedAt?: Date;
  error?: string;
  cause?: string;
  events: ExecutionEvent[];
}

export interface MemoryExecutions extends Executions {
  /** In the order of their start. */
  readonly all: MemoryExecution[];
  /** How many times `start` was called. */
  readonly starts: { name: string; input: string }[];
  end(
    name: string,
    status: Exclude<ExecutionStatus, 'RUNNING'>,
    reason?: { error: string; cause: string },
  ): void;
}

/** Executions that run until a test ends them. Names stay taken, as in Step Functions. */
export function memoryExecutions({
  clock = () => new Date(),
  machine = 'batch-inference',
  before,
}: {
  clock?: () => Date;
  machine?: string;
  before?: (operation: 'start' | 'describe' | 'stop', phase: 'request' | 'answer') => Promise<void> | void;
} = {}): MemoryExecutions {
  const all: MemoryExecution[] = [];
  const starts: { name: string; input: string }[] = [];
  const arnOf = (name: string): string =>
    `arn:aws:states:us-east-1:000000000000:execution:${machine}:${name}`;
  const request = async <T>(operation: 'start' | 'describe' | 'stop', act: () => T): Promise<T> => {
    await before?.(operation, 'request');
    const answer = act();
    await before?.(operation, 'answer');
    return answer;
  };
  return {
    all,
    starts,
    arnOf,
    start: (name, input) =>
      request('start', () => {
        starts.push({ name, input });
        if (!/^[\x21-\x7e]{1,80}$/.test(name))
          throw Object.assign(new Error(`Invalid Name: ${name}`), { name: 'InvalidName' });
        const arn = arnOf(name);
        const found = all.find((execution) => execution.name === name);
        if (found === undefined) {
          all.push({ name, arn, input, status: 'RUNNING', startedAt: clock(), events: [] });
          return { outcome: 'started', arn };
        }
        return { outcome: found.status === 'RUNNING' && found.input === input ? 'started' : 'exists', arn };
      }),
    describe: (arn) =>
      request('describe', (): ExecutionDescription | undefined => {
        const found = all.find((execution) => execution.arn === arn);
        if (found === undefined) return undefined;
        const { events: _events, name: _name, ...described } = found;
        return { ...described };
      }),
    stop: (arn, reason) =>
      request('stop', () => {
        const found = all.find((execution) => execution.arn === arn && isAlive(execution));
        if (found) Object.assign(found, { status: 'ABORTED', endedAt: clock(), ...reason });
      }),
    async *history(arn, { newestFirst = false } = {}) {
      const events = all.find((execution) => execution.arn === arn)?.events ?? [];
      yield* newestFirst ? events.toReversed() : events;
    },
    end: (name, status, reason) => {
      const found = all.find((execution) => execution.name === name);
      if (found === undefined) throw new Error(`no execution ${name}`);
      Object.assign(found, { status, endedAt: clock(), ...reason });
    },
  };
}
