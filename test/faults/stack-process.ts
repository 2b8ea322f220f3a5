import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Fault, Injected } from './fault.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** The command `inferdrop up` as a process of its own, which comes up again whenever it dies. */
export class StackProcess {
  /** What the adversaries of ended processes counted, up to half a second before their end. */
  readonly injected: Injected = {};
  kills = 0;
  private child: ChildProcess | undefined;
  private isWanted = true;
  private readonly dataDir: string;
  private readonly port: number;
  private readonly log: string;

  constructor(dataDir: string, port: number, log: string) {
    this.dataDir = dataDir;
    this.port = port;
    this.log = log;
  }

  /** Resolves when the stack is ready. */
  async start(): Promise<void> {
    const args = ['--import', path.join(import.meta.dirname, 'adversary.ts'), 'src/cli/main.ts', 'up'];
    const options = ['--port', String(this.port), '--data', this.dataDir];
    const child = spawn(process.execPath, [...args, ...options], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.child = child;
    let counted: Injected = {};
    child.on('message', (counts: Injected) => (counted = counts));
    const asking = setInterval(() => this.send({ kind: 'tell' }), 500);
    const lines: string[] = [];
    let isReady = false;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    for (const stream of [child.stdout!, child.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => {
        appendFileSync(this.log, `${line}\n`);
        lines.push(line);
        if (!line.startsWith('Ready at ')) return;
        isReady = true;
        resolve();
      });
    }
    child.once('exit', (code, signal) => {
      if (this.child === child) this.child = undefined;
      clearInterval(asking);
      for (const [kind, count] of Object.entries(counted))
        this.injected[kind] = (this.injected[kind] ?? 0) + count;
      if (signal === 'SIGKILL') this.kills++;
      const end = signal ?? `code ${code}`;
      appendFileSync(this.log, `--- the stack ended: ${end}\n`);
      // A stack may refuse to start without room or descriptors; once it is up it must live with that.
      const isRefused = !isReady && lines.some((line) => line.includes('refused by the campaign'));
      if (signal === 'SIGKILL' || isRefused) return resolve();
      if (this.isWanted)
        reject(new Error(`the stack ended by itself (${end}):\n${lines.slice(-20).join('\n')}`));
      else resolve();
    });
    await promise;
  }

  /** Brings the stack up again where it is down. */
  async ensureUp(): Promise<void> {
    while (!this.child) await this.start();
  }

  send(fault: Fault): void {
    if (this.child?.connected) this.child.send(fault, () => undefined);
  }

  async kill(): Promise<void> {
    const child = this.child;
    if (!child) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** The processes of functions, containers and models below the stack. */
  descendants(): number[] {
    const parents = new Map<number, number>();
    for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const [, parent] = readFileSync(`/proc/${entry}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ');
        parents.set(Number(entry), Number(parent));
      } catch {
        // It has ended meanwhile.
      }
    }
    const isBelow = (pid: number): boolean => {
      const parent = parents.get(pid);
      return parent !== undefined && (parent === this.child?.pid || isBelow(parent));
    };
    return this.child?.pid === undefined ? [] : [...parents.keys()].filter(isBelow);
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
