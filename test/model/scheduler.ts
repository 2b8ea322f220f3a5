/**
 * A scheduler of processes that meet at gates: every request to S3 or Step Functions is one, and between two gates a
 * process runs alone. Who goes next, and who crashes where, is a sequence of small numbers; the same numbers give the
 * same run.
 */

/** What becomes of a process at a gate. */
type Fate = 'run' | 'crash before' | 'crash after';

/** Passes one request: it may never come back, with the request done or not. */
export type Gate = <T>(label: string, act: () => Promise<T> | T) => Promise<T>;

interface Parked {
  readonly label: string;
  readonly isEnabled: () => boolean;
  readonly resume: (fate: Fate) => void;
  /** Overtaken by a later request of its process: it is on its way until it is chosen, or nothing else is left. */
  isLate: boolean;
}

interface Process {
  readonly name: string;
  readonly parked: Parked[];
  readonly onCrash: ((fate: Fate) => void) | undefined;
  isOver: boolean;
}

/** One way to go on, the first being the usual one: the process that ran last goes on, or else the youngest. */
export interface Option {
  readonly process: string;
  readonly fate: Fate;
  readonly isUsual: boolean;
}

export interface Scheduler {
  /** Adds a process; `onCrash` says what the world does when it dies. */
  spawn(
    name: string,
    body: (gate: Gate, until: (isEnabled: () => boolean) => Promise<void>) => Promise<void>,
    onCrash?: (fate: Fate) => void,
  ): void;
  /** Runs until no process can go on; returns those that are stuck. */
  run(): Promise<string[]>;
  /** What was done, for a reader of a counterexample. */
  readonly trace: string[];
}

export function scheduler(choose: (options: readonly Option[]) => number, mostSteps = 2000): Scheduler {
  const processes: Process[] = [];
  const trace: string[] = [];
  const failures: unknown[] = [];
  let current: Process | undefined;

  const park = (process: Process, label: string, isEnabled: () => boolean): Promise<Fate> =>
    new Promise((resolve) => {
      const entry: Parked = { label, isEnabled, resume: resolve, isLate: false };
      process.parked.push(entry);
    });
  const never = new Promise<never>(() => undefined);

  const spawn: Scheduler['spawn'] = (name, body, onCrash) => {
    const process: Process = { name, parked: [], onCrash, isOver: false };
    processes.push(process);
    const gate: Gate = async (label, act) => {
      const fate = await park(process, label, () => true);
      if (fate === 'run') return act();
      if (fate === 'crash after') await act();
      process.isOver = true;
      process.parked.length = 0;
      onCrash?.(fate);
      return never;
    };
    const until = async (isEnabled: () => boolean): Promise<void> => {
      if ((await park(process, 'wait', isEnabled)) !== 'run')
        throw new Error('nothing crashes while it waits');
    };
    body(gate, until)
      .catch((error: unknown) => failures.push(error))
      .finally(() => (process.isOver = true));
  };

  const isSomeoneOnTheWay = (): boolean =>
    processes.some(({ isOver, parked }) => !isOver && parked.length === 0);
  /** Until every living process stands at a gate. Only what is unzipped takes more than microtasks. */
  const quiesce = async (): Promise<void> => {
    for (let turn = 0; turn < 30; turn++) await Promise.resolve();
    while (isSomeoneOnTheWay()) await new Promise((resolve) => setImmediate(resolve));
  };

  return {
    spawn,
    trace,
    async run() {
      for (let step = 0; ; step++) {
        await quiesce();
        if (failures.length > 0) throw failures[0];
        if (step > mostSteps) throw new Error('the processes never come to an end');
        const living = processes.filter(({ isOver }) => !isOver);
        const enabled = living.filter(({ parked }) => parked.some((at) => at.isEnabled()));
        if (enabled.length === 0) return living.map(({ name, parked }) => `${name} at ${parked[0]?.label}`);
        const usual = current && enabled.includes(current) ? current : enabled.at(-1)!;
        const ordered = [usual, ...enabled.filter((process) => process !== usual)];
        const options = ordered.flatMap((process): (Option & { of: Process; at: Parked })[] => {
          const { onCrash } = process;
          const parked = process.parked.filter((at) => at.isEnabled());
          const first = parked.find(({ isLate }) => !isLate) ?? parked[0]!;
          const about = { process: process.name, of: process, at: first, isUsual: process === usual };
          const mayCrash = onCrash !== undefined && first.label !== 'wait';
          const fates: readonly Fate[] = mayCrash ? ['run', 'crash before', 'crash after'] : ['run'];
          // What a process asks for without waiting for the answer to what it asked before may overtake that.
          const others = parked.filter((at) => at !== first && at.label !== 'wait');
          return [
            ...fates.map((fate) => ({ ...about, fate })),
            ...others.map((at) => ({ ...about, at, fate: 'run' as const, isUsual: false })),
          ];
        });
        const { of: next, fate, at: parked } = options[choose(options)]!;
        current = next;
        const place = next.parked.indexOf(parked);
        for (const overtaken of next.parked.slice(0, place)) overtaken.isLate = true;
        next.parked.splice(place, 1);
        trace.push(`${next.name}: ${parked.label}${fate === 'run' ? '' : ` (${fate})`}`);
        parked.resume(fate);
      }
    },
  };
}

/** How far a search departs from the usual order. */
export interface Bounds {
  /** How often another process than the usual one goes on. */
  readonly switches: number;
  readonly crashes: number;
}

/** Tries every run within the bounds, one after another; returns how many there were. */
export async function exploreAll(
  bounds: Bounds,
  attempt: (choose: (options: readonly Option[]) => number) => Promise<void>,
): Promise<number> {
  const open: { prefix: number[]; left: Bounds }[] = [{ prefix: [], left: bounds }];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { prefix, left } = next;
    const taken: number[] = [];
    const others: { prefix: number[]; left: Bounds }[] = [];
    await attempt((options) => {
      const at = taken.length;
      const choice = prefix[at] ?? 0;
      if (at >= prefix.length) {
        options.forEach((option, index) => {
          if (index === 0) return;
          const rest = {
            switches: left.switches - (option.isUsual ? 0 : 1),
            crashes: left.crashes - (option.fate === 'run' ? 0 : 1),
          };
          if (rest.switches >= 0 && rest.crashes >= 0) others.push({ prefix: [...taken, index], left: rest });
        });
      }
      taken.push(choice);
      return choice;
    });
    open.push(...others);
    count += 1;
  }
  return count;
}

/** Takes its choices from numbers, as fast-check shrinks them; the usual one when they are used up. */
export function chooseFrom(
  numbers: readonly number[],
  mostCrashes: number,
): (options: readonly Option[]) => number {
  let at = 0;
  let crashes = 0;
  return (options) => {
    const number = numbers[at++] ?? 0;
    const possible = options.filter(({ fate }) => fate === 'run' || crashes < mostCrashes);
    const chosen = possible[number % possible.length]!;
    if (chosen.fate !== 'run') crashes += 1;
    return options.indexOf(chosen);
  };
}
