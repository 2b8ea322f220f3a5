import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { PREDICT_MEMORY_MB } from '../../../src/transform/predict-function.ts';

/** Memory and time that infra/batch/functions.yml gives a function. */
export interface FunctionLimits {
  readonly memoryMiB: number;
  readonly timeoutSeconds: number;
  /** Lambda gives a whole processor at 1,769 MB, and of it in proportion. */
  readonly cpuSeconds: number;
}

export function limitsOf(name: string): FunctionLimits {
  const text = readFileSync(new URL('../../../infra/batch/functions.yml', import.meta.url), 'utf8');
  const [, block = ''] = new RegExp(`^${name}:\\n((?: .*\\n|\\n)+)`, 'm').exec(text) ?? [];
  const number = (field: string): number => Number(new RegExp(`^  ${field}: (\\d+)$`, 'm').exec(block)?.[1]);
  // The memory of predict-shard is a parameter of the stack.
  const memoryMiB = name === 'predict-shard' ? PREDICT_MEMORY_MB : number('memorySize');
  const timeoutSeconds = number('timeout');
  return { memoryMiB, timeoutSeconds, cpuSeconds: timeoutSeconds * Math.min(1, memoryMiB / 1_769) };
}

/** Time and memory that calls of a function have taken so far. */
interface Used {
  calls: number;
  cpuSeconds: number;
  /** Processor time of the longest call. */
  mostCpuSeconds: number;
  /** Resident set of its process, code and all. */
  peakMiB: number;
  /** Bytes of the longest input or answer, which the state machine keeps. */
  mostStateBytes: number;
}

/** A step in a process of its own, with the heap that its Lambda has. */
export function openFunction(name: string, env: NodeJS.ProcessEnv) {
  const limits = limitsOf(name);
  const child = fork(new URL('./function-process.ts', import.meta.url), [name], {
    env,
    execArgv: [`--max-old-space-size=${Math.floor(limits.memoryMiB * 0.9)}`],
  });
  const ended = once(child, 'exit').then(([code]) => ({ error: `ended with ${code}` }));
  const used: Used = { calls: 0, cpuSeconds: 0, mostCpuSeconds: 0, peakMiB: 0, mostStateBytes: 0 };
  return {
    name,
    limits,
    used,
    async call(input: unknown): Promise<any> {
      child.send({ input });
      const message = await Promise.race([once(child, 'message').then(([answer]: any[]) => answer), ended]);
      used.calls += 1;
      used.cpuSeconds += message.cpuSeconds;
      used.mostCpuSeconds = Math.max(used.mostCpuSeconds, message.cpuSeconds);
      used.peakMiB = message.peakMiB;
      for (const state of [input, message.answer ?? null])
        used.mostStateBytes = Math.max(used.mostStateBytes, JSON.stringify(state).length);
      if (message.error !== undefined) throw new Error(`${name}: ${message.error}`);
      return message.answer;
    },
    close: () => child.disconnect(),
  };
}
