import { parentPort, workerData } from 'node:worker_threads';
import { Chance } from './chance.ts';
import type { OpenTarget } from './target.ts';

/** Task of the worker; `at` is shared with the thread that watches it. */
export interface FuzzTask {
  readonly name: string;
  readonly seed: number;
  readonly first: number;
  /** Inputs, or fewer where `untilMs` comes first. */
  readonly count: number;
  readonly untilMs: number;
  /** Number of the current input, and a count that grows with each one: if it stands still, the worker hangs. */
  readonly at: Int32Array;
}

/** A defect, and the number by which it is replayed. */
export interface Finding {
  readonly number: number;
  readonly problem: string;
  readonly input: string;
}

const MAX_CPU_MS = 2_000;
const { name, seed, first, count, untilMs, at } = workerData as FuzzTask;
const { open } = (await import(`./targets/${name}.ts`)) as { readonly open: OpenTarget<unknown> };
const target = await open();
let slowestMs = 0;
let executed = 0;
for (let number = first; number < first + count && Date.now() < untilMs; number++) {
  Atomics.store(at, 0, number);
  Atomics.add(at, 1, 1);
  const chance = new Chance(Math.imul(seed, 0x9e3779b1) + number);
  const input = target.mutate(chance.oneOf(target.seeds), chance);
  const before = process.threadCpuUsage();
  const wrong = await target.judge(input);
  const { user, system } = process.threadCpuUsage(before);
  const tookMs = (user + system) / 1_000;
  slowestMs = Math.max(slowestMs, tookMs);
  executed++;
  const most = target.mostCpuMs ?? MAX_CPU_MS;
  const problem =
    wrong ?? (tookMs > most ? `took ${Math.round(tookMs)} ms of CPU time, at most ${most}` : undefined);
  if (problem !== undefined)
    parentPort?.postMessage({ number, problem, input: shown(input) } satisfies Finding);
}
await target.close?.();
parentPort?.postMessage({ executed, slowestMs });

function shown(input: unknown): string {
  const text = Buffer.isBuffer(input) ? input.toString('latin1') : JSON.stringify(input);
  return `${text.length} characters: ${JSON.stringify(text.slice(0, 600))}`;
}
