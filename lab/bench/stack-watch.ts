import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { shownLabel } from '../../src/app/progress/state-news.ts';
import type { ExecutionEvent } from '../../src/aws/states/executions.ts';
import { processesOf } from './process-time.ts';

const LOOK_MS = 500;
/** The kernel walks all pages of a process to say which it shares. */
const LOOKS_A_MEMORY = 8;

/** Figures by program: a function of the stack, the stack itself, or a file that Node runs. */
const Figures = z.record(z.string(), z.number());
type Figures = z.infer<typeof Figures>;

/** Processor time so far, at a moment. */
const Look = z.object({ at: z.number(), cpuMs: Figures });
type Look = z.infer<typeof Look>;
const Seen = z.object({ looks: z.array(Look), peakMiB: Figures });

/** Costs of a stage of a run. */
interface StageCost {
  readonly stage: string;
  readonly seconds: number;
  readonly cpuMs: Figures;
}

/** Processor time and memory that the processes of a stack have used while it was watched. */
interface Watched {
  readonly cpuMs: number;
  stages(events: readonly ExecutionEvent[]): readonly StageCost[];
  /** The most memory in MiB, of each program and of all at one time; a page that n processes share counts an nth for each. */
  readonly peakMiB: Figures;
}

/** Has a process of its own watch this one and its descendants, until what is returned is called. Linux only. */
export async function watchStack(): Promise<() => Promise<Watched>> {
  const watcher = fork(import.meta.filename, [String(process.pid)]);
  await once(watcher, 'message');
  return async () => {
    watcher.send('end');
    const [message] = await once(watcher, 'message');
    const { looks, peakMiB } = Seen.parse(message);
    const [first, last] = [looks[0], looks.at(-1)];
    const cpuMs = total(last?.cpuMs ?? {}) - total(first?.cpuMs ?? {});
    return { cpuMs, peakMiB, stages: (events) => stagesOf(looks, events) };
  };
}

function watch(root: number): () => z.infer<typeof Seen> {
  const looks: Look[] = [];
  const peakMiB: Figures = {};
  const seen = new Map<number, { readonly program: string; readonly ms: number }>();
  const look = (): void => {
    const processes = processesOf(root).filter(({ id }) => id !== process.pid);
    for (const { id, ownMs: ms } of processes)
      seen.set(id, { program: seen.get(id)?.program ?? programOf(id, root), ms });
    looks.push({ at: Date.now(), cpuMs: sums([...seen.values()].map(({ program, ms }) => [program, ms])) });
    if (looks.length % LOOKS_A_MEMORY !== 1) return;
    const memory = sums(processes.map(({ id }) => [seen.get(id)?.program ?? '', proportionalMiB(id)]));
    for (const [program, miB] of [...Object.entries(memory), ['all', total(memory)] as const])
      peakMiB[program] = Math.max(miB, peakMiB[program] ?? 0);
  };
  look();
  setInterval(look, LOOK_MS);
  return () => {
    look();
    return { looks, peakMiB };
  };
}

function stagesOf(looks: readonly Look[], events: readonly ExecutionEvent[]): StageCost[] {
  const entered = events.flatMap(({ type, state, at }) => {
    const stage = state !== undefined && type.endsWith('StateEntered') ? shownLabel(state) : undefined;
    return stage === undefined ? [] : [{ stage, at: at.getTime() }];
  });
  const ended = events.at(-1)?.at.getTime() ?? 0;
  const costs = entered.map(({ stage, at }, index) => {
    const upTo = entered[index + 1]?.at ?? ended;
    const before = cpuAt(looks, at);
    const cpuMs = Object.entries(cpuAt(looks, upTo)).map(([program, ms]) => {
      return [program, ms - (before[program] ?? 0)] as const;
    });
    return { stage, seconds: (upTo - at) / 1_000, cpuMs };
  });
  return [...Map.groupBy(costs, ({ stage }) => stage)].map(([stage, all]) => ({
    stage,
    seconds: all.reduce((sum, { seconds }) => sum + seconds, 0),
    cpuMs: sums(all.flatMap(({ cpuMs }) => cpuMs)),
  }));
}

/** Processor time at a moment, between the looks before and after it. */
function cpuAt(looks: readonly Look[], at: number): Figures {
  const next = looks.findIndex((look) => look.at >= at);
  const after = looks[next < 0 ? looks.length - 1 : next];
  const before = looks[next - 1] ?? after;
  if (after === undefined || before === undefined || after === before) return after?.cpuMs ?? {};
  const share = Math.min(1, (at - before.at) / (after.at - before.at));
  return Object.fromEntries(
    Object.entries(after.cpuMs).map(([program, ms]) => {
      const from = before.cpuMs[program] ?? 0;
      return [program, from + share * (ms - from)];
    }),
  );
}

function sums(pairs: Iterable<readonly [string, number]>): Figures {
  const found: Figures = {};
  for (const [name, value] of pairs) found[name] = (found[name] ?? 0) + value;
  return found;
}

function total(figures: Figures): number {
  return Object.values(figures).reduce((sum, one) => sum + one, 0);
}

/** The function whose code a process runs, or the file. */
function programOf(id: number, root: number): string {
  if (id === root) return 'stack';
  const line = readProc(id, 'cmdline');
  const [, name] =
    /"functionName":"inferdrop-[a-z]+-([^"]+)"/.exec(line) ?? /([\w.-]+\.m?[jt]s)/.exec(line) ?? [];
  return name ?? 'other';
}

function proportionalMiB(id: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readProc(id, 'smaps_rollup'))?.[1] ?? 0) / 1_024;
}

/** Empty for a process that has ended meanwhile. */
function readProc(id: number, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

if (import.meta.main) {
  const end = watch(Number(process.argv[2]));
  process.once('message', () => process.send?.(end(), () => process.exit()));
  process.once('disconnect', () => process.exit());
  process.send?.('begun');
}
