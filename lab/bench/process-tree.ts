import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';

/** One tick of the counters in `/proc`, on every Linux that Node runs on. */
const TICK_SECONDS = 0.01;
/** Between two looks at the tree. If a process exits unnoticed by its parent, its work after the last look isn't counted. */
const LOOK_MS = 20;
/** Variable by which a process is recognized, even if its parents have ended and it has left their session. */
const MARK = 'INFERDROP_BENCH_TREE';

/** Processor time of a program and all that it started, and what it printed. */
export interface TreeTime {
  /** User and system time. */
  readonly cpuSeconds: number;
  readonly stdout: string;
}

/**
 * Runs a program and adds up the processor time of its whole tree: children, those that have ended, and orphans, which are killed once the
 * program has ended. Linux only.
 *
 * @throws {Error} if the program fails, or without `/proc`
 */
export async function timeTree(
  command: string,
  args: readonly string[],
  { cwd }: { readonly cwd?: string } = {},
): Promise<TreeTime> {
  const mark = `${MARK}=${randomUUID()}`;
  const before = statOf(process.pid)?.waited;
  if (before === undefined)
    throw new Error('processor time of a process tree is read from /proc: run this on Linux');
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, [MARK]: mark.slice(MARK.length + 1) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = Promise.withResolvers<string>();
  child.once('error', ended.reject);
  child.once('exit', (code, signal) => ended.resolve(String(code ?? signal)));
  const tree = new Tree(child.pid ?? 0, mark);
  const looking = setInterval(() => tree.look(), LOOK_MS);
  // An orphan may keep the pipe open: it isn't waited for.
  const printed = buffer(child.stdout);
  const outcome = await ended.promise.finally(() => clearInterval(looking));
  const ofRoot = (statOf(process.pid)?.waited ?? 0) - before;
  tree.look();
  tree.kill();
  const stdout = (await printed).toString();
  if (outcome !== '0') throw new Error(`${command} ${args.join(' ')} ended with ${outcome}: ${stdout}`);
  return { cpuSeconds: tree.ticks(ofRoot) * TICK_SECONDS, stdout };
}

interface Stat {
  readonly parent: number;
  /** Tells a process from an earlier one of the same number. */
  readonly started: number;
  /** Ticks of the process itself. */
  readonly own: number;
  /** Ticks of its ended children, and of theirs, unless it ignores their end. */
  readonly waited: number;
}

class Tree {
  readonly #root: number;
  readonly #mark: string;
  /** The last that was seen of each, by number and start. */
  readonly #seen = new Map<string, Stat & { readonly id: number }>();
  readonly #strangers = new Set<string>();
  #living: ReadonlySet<string> = new Set();

  constructor(root: number, mark: string) {
    this.#root = root;
    this.#mark = mark;
  }

  look(): void {
    const all = allStats();
    const belongs = (id: number): boolean => {
      if (id === this.#root) return true;
      const stat = all.get(id);
      if (stat === undefined || id === process.pid) return false;
      const name = `${id} ${stat.started}`;
      if (this.#seen.has(name)) return true;
      if (belongs(stat.parent)) return true;
      if (this.#strangers.has(name)) return false;
      if (isMarked(id, this.#mark)) return true;
      // A child that its parent has just forked from us shows our own variables until it has replaced us.
      if (stat.parent !== process.pid) this.#strangers.add(name);
      return false;
    };
    const living = new Set<string>();
    for (const [id, stat] of all) {
      if (!belongs(id)) continue;
      const name = `${id} ${stat.started}`;
      this.#seen.set(name, { ...stat, id });
      living.add(name);
    }
    this.#living = living;
  }

  kill(): void {
    for (const name of this.#living) {
      const { id } = this.#seen.get(name) ?? { id: this.#root };
      try {
        if (id !== this.#root) process.kill(id, 'SIGKILL');
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
      }
    }
  }

  /** @param ofRoot what waiting for the root has given: its own ticks and those that it has waited for */
  ticks(ofRoot: number): number {
    const all = [...this.#seen].map(([name, stat]) => ({ ...stat, isAlive: this.#living.has(name) }));
    type Seen = (typeof all)[number];
    const numbers = new Set(all.map(({ id }) => id));
    // Ended children are in their parent's sum; where they're more than it, the parent ignored their end.
    const below = (parent: number, waited: number): number => {
      const children = all.filter((one) => one.parent === parent && one.id !== this.#root);
      const sum = (some: readonly Seen[]): number => some.reduce((total, one) => total + whole(one), 0);
      return (
        sum(children.filter(({ isAlive }) => isAlive)) +
        Math.max(0, sum(children.filter(({ isAlive }) => !isAlive)) - waited)
      );
    };
    const whole = ({ id, own, waited }: Seen): number => own + waited + below(id, waited);
    const root = all.find(({ id }) => id === this.#root);
    const orphans = all.filter(({ id, parent }) => id !== this.#root && !numbers.has(parent));
    return (
      ofRoot + below(this.#root, root?.waited ?? 0) + orphans.reduce((total, one) => total + whole(one), 0)
    );
  }
}

function allStats(): ReadonlyMap<number, Stat> {
  const found = new Map<number, Stat>();
  for (const name of process.platform === 'linux' ? readdirSync('/proc') : []) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    if (stat !== undefined) found.set(Number(name), stat);
  }
  return found;
}

function statOf(id: number): Stat | undefined {
  const line = readOf(id, 'stat');
  if (line === undefined) return undefined;
  // The name in parentheses may hold spaces.
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = (place: number): number => fields[place] ?? 0;
  return { parent: at(1), started: at(19), own: at(11) + at(12), waited: at(13) + at(14) };
}

function isMarked(id: number, mark: string): boolean {
  return readOf(id, 'environ')?.split('\0').includes(mark) === true;
}

/** A file of a process; undefined for one that has ended meanwhile, or is someone else's. */
function readOf(id: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return undefined;
    throw error;
  }
}
