import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DISK_FULL } from '../../src/cli/laptop/disk-full.ts';
import { CLOCK_SHIM } from '../../test/support/machine-clock.ts';
import { CALM, type Fault, type Injected, type Told } from './fault.ts';
import { functionName } from './function-name.ts';
import type { SendingEvent } from './sending.ts';

/** Few functions at once: those that are killed start again, and cores are few. */
const LIMITS = JSON.stringify({ lambdaConcurrency: 10 });
/** How long a place that is chosen is waited for. */
const PATIENCE_MS = 6000;
const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** A process below the stack. */
export interface Descendant {
  readonly pid: number;
  /** A Lambda function's, one that changes endpoints among them, or one that serves a model. */
  readonly kind: 'function' | 'endpoint function' | 'container';
}

/** The command `inferdrop up` as a process of its own, which comes up again whenever it dies. */
export class StackProcess {
  /** Counts of the adversaries of ended processes, up to half a second before their end. */
  readonly injected: Injected = {};
  /** Kills at each place of the code that has written to the disk. */
  readonly places = new Map<string, number>();
  /** Those that wrote last: they will be reached soon again. */
  recent: readonly string[] = [];
  readonly startMs: number[] = [];
  kills = 0;
  private child: ChildProcess | undefined;
  private isWanted = true;
  private testamentsRead = 0;
  private clockOffsetMs = 0;
  private questions = 0;
  /** Time of the clock between the faults: it never goes back for good. */
  private baseMs = 0;
  private furthestMs = 0;
  private deadline: { readonly fault: Fault; readonly untilMs: number } | undefined;
  private readonly dir: string;
  private readonly port: number;

  /** @param dir gets `data`, the log of the stack and what its adversary leaves */
  constructor(dir: string, port: number) {
    this.dir = dir;
    this.port = port;
    process.once('exit', () => this.child?.kill('SIGKILL'));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => process.exit(1));
  }

  get dataDir(): string {
    return path.join(this.dir, 'data');
  }

  /** Resolves when the stack is ready, or was killed before. */
  async start(): Promise<void> {
    const adversary = path.join(import.meta.dirname, 'adversary.ts');
    const imports = ['--import', CLOCK_SHIM, '--import', adversary];
    const args = [...imports, 'src/cli/main.ts', 'up'];
    const options = ['--port', String(this.port), '--data', this.dataDir, '--limits', LIMITS];
    const log = path.join(this.dir, 'stack.log');
    const startedMs = performance.now();
    const child = spawn(process.execPath, [...args, ...options], {
      cwd: ROOT,
      env: {
        ...process.env,
        FAULTS_TESTAMENT: this.testament,
        FAULTS_SENDINGS: this.sendings,
        // A stack that comes up often should not compile itself each time.
        NODE_COMPILE_CACHE: path.join(tmpdir(), 'inferdrop-compiled'),
        FAULTS_CLOCK: path.join(this.dir, 'clock'),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.child = child;
    if (this.isCondemned) this.send(this.deadline!.fault);
    let counted: Injected = {};
    child.on('message', ({ injected, places }: Told) => {
      counted = injected;
      this.recent = places;
      for (const place of places) this.places.set(place, this.places.get(place) ?? 0);
    });
    const asking = setInterval(() => this.send({ kind: 'tell' }), 500);
    const lines: string[] = [];
    let isReady = false;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    for (const stream of [child.stdout!, child.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => {
        appendFileSync(log, `${new Date().toISOString().slice(11, 23)} ${line}\n`);
        lines.push(line);
        if (!line.startsWith('Ready at ')) return;
        isReady = true;
        this.startMs.push(performance.now() - startedMs);
        resolve();
      });
    }
    child.once('exit', (code, signal) => {
      if (this.child === child) this.child = undefined;
      clearInterval(asking);
      this.add(this.readTestament() ?? counted);
      if (signal === 'SIGKILL') this.kills++;
      this.record({ event: 'stack ended' });
      const end = signal ?? `code ${code}`;
      appendFileSync(log, `--- the stack ended: ${end}\n`);
      // A stack may refuse to start without room or descriptors; once it is up it must live with that.
      const isRefused =
        !isReady &&
        lines.some((line) => line.includes('refused by the campaign') || line.includes(DISK_FULL));
      if (signal === 'SIGKILL' || isRefused || !this.isWanted) return resolve();
      reject(new Error(`the stack exited on its own (${end}):\n${lines.slice(-20).join('\n')}`));
    });
    await promise;
  }

  private get testament(): string {
    return path.join(this.dir, 'testaments.jsonl');
  }

  private get sendings(): string {
    return path.join(this.dir, 'sendings.jsonl');
  }

  private record(event: SendingEvent): void {
    appendFileSync(this.sendings, `${JSON.stringify(event)}\n`);
  }

  /** Fates of the messages on their way, in order. */
  readSendings(): SendingEvent[] {
    const text = readFileSync(this.sendings, { encoding: 'utf8', flag: 'a+' });
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  /** Counts that an adversary wrote down before it killed its own process. */
  private readTestament(): Injected | undefined {
    const lines = readFileSync(this.testament, { encoding: 'utf8', flag: 'a+' }).split('\n').slice(0, -1);
    if (lines.length === this.testamentsRead) return undefined;
    this.testamentsRead = lines.length;
    const { place, injected }: { place: string; injected: Injected } = JSON.parse(lines.at(-1)!);
    this.deadline = undefined;
    const name = place.replace(/^(before|after) /, '');
    this.places.set(name, (this.places.get(name) ?? 0) + 1);
    return injected;
  }

  private add(counted: Injected): void {
    for (const [kind, count] of Object.entries(counted))
      this.injected[kind] = (this.injected[kind] ?? 0) + count;
  }

  /** Brings the stack up again where it is down. */
  async ensureUp(): Promise<void> {
    while (!this.child) await this.start();
  }

  /** Puts the clock of the stack's machine forward or back, to so much before or after the time it came to when it was last calm. */
  setClock(aheadMs: number): void {
    const offsetMs = this.baseMs + aheadMs;
    const kind = offsetMs > this.clockOffsetMs ? 'clock forward' : 'clock back';
    if (offsetMs !== this.clockOffsetMs) this.add({ [kind]: 1 });
    this.clockOffsetMs = offsetMs;
    this.furthestMs = Math.max(this.furthestMs, offsetMs);
    writeFileSync(path.join(this.dir, 'clock'), String(offsetMs));
  }

  send(fault: Fault): void {
    if (this.child?.connected) this.child.send(fault, () => undefined);
  }

  /** Whether a place is chosen to die at: until it is reached, across starts, and as long as it may be reached. */
  get isCondemned(): boolean {
    return this.deadline !== undefined && performance.now() < this.deadline.untilMs;
  }

  /** Dies at a place, or gives up waiting for it. */
  condemn(place: string, after: boolean): void {
    if (place === '') return;
    this.deadline = {
      fault: { kind: 'kill-at-place', place, after },
      untilMs: performance.now() + PATIENCE_MS,
    };
    this.send(this.deadline.fault);
  }

  /** Up, and left alone from now on. */
  async calm(): Promise<void> {
    this.deadline = undefined;
    do {
      await this.ensureUp();
      for (const fault of CALM) this.send(fault);
    } while (!(await this.hasTakenAll()));
    // If it were put back, everything due would wait for it.
    this.baseMs = this.furthestMs;
    this.setClock(0);
  }

  /** Whether the stack has taken all faults that it was sent; false if it dies before. */
  private hasTakenAll(): Promise<boolean> {
    const { child } = this;
    if (!child) return Promise.resolve(false);
    const question = ++this.questions;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const answered = (told: Told): void => {
      if (told.question === question) resolve(true);
    };
    child.on('message', answered);
    child.once('exit', () => resolve(false));
    this.send({ kind: 'tell', question });
    return promise.finally(() => child.off('message', answered));
  }

  /** Killed while nothing but waits is left, and up again when they are over by the clock. */
  async skip(aheadMs: number): Promise<void> {
    await this.kill();
    this.baseMs += aheadMs;
    this.setClock(0);
    await this.ensureUp();
  }

  /** Kills one process below the stack, and tells whether it was still there. */
  killDescendant({ pid, kind }: Descendant): boolean {
    try {
      process.kill(pid, 0);
      if (kind !== 'container') this.record({ event: 'killed', pid });
      process.kill(pid, 'SIGKILL');
      return true;
    } catch {
      return false;
    }
  }

  async kill(): Promise<void> {
    const child = this.child;
    if (!child) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** The processes of functions and models below the stack. */
  descendants(): Descendant[] {
    const parents = new Map<number, number>();
    for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const [, parent] = readOrNothing(`/proc/${entry}/stat`)
        .replace(/^.*\) /, '')
        .split(' ');
      parents.set(Number(entry), Number(parent));
    }
    const own = this.child?.pid;
    const isBelow = (pid: number): boolean => {
      const parent = parents.get(pid);
      return parent !== undefined && (parent === own || isBelow(parent));
    };
    const toDescendant = (pid: number): Descendant[] => {
      const command = readOrNothing(`/proc/${pid}/cmdline`);
      if (/esbuild|serverless/.test(command) || command === '') return [];
      if (!command.includes('/lambda/')) return [{ pid, kind: 'container' }];
      return [{ pid, kind: functionName(pid).includes('endpoint') ? 'endpoint function' : 'function' }];
    };
    return own === undefined ? [] : [...parents.keys()].filter(isBelow).flatMap(toDescendant);
  }

  async stop(): Promise<void> {
    this.isWanted = false;
    const child = this.child;
    if (!child) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  }
}

/** A process may end while it is inspected. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
