import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Finding, FuzzTask } from './fuzz-worker.ts';

/** Result of a target's inputs. */
interface FuzzResult {
  readonly executed: number;
  /** CPU time of the slowest input. */
  readonly slowestMs: number;
  readonly findings: readonly Finding[];
}

/** No input takes seconds; a machine that is busy with other things may. */
const HANGS_AFTER_MS = 60_000;
/** A reader that needs more for inputs of a few kilobytes leaks memory. */
const HEAP_MB = 768;
const MAX_FINDINGS = 10;

/** Feeds a target in a thread of its own, which is ended where it hangs and begun again behind what ended it. */
export async function runTarget(
  name: string,
  task: { readonly seed: number; readonly first?: number; readonly count: number; readonly untilMs?: number },
): Promise<FuzzResult> {
  const { seed, first = 0, count, untilMs = Infinity } = task;
  const findings: Finding[] = [];
  let executed = 0;
  let slowestMs = 0;
  for (let next = first; next < first + count && Date.now() < untilMs && findings.length < MAX_FINDINGS;) {
    const at = new Int32Array(new SharedArrayBuffer(8));
    const workerData: FuzzTask = { name, seed, first: next, count: first + count - next, untilMs, at };
    const worker = new Worker(new URL('fuzz-worker.ts', import.meta.url), {
      workerData,
      execArgv: [],
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    // What the stack says on stderr, which is much.
    worker.stderr.resume();
    worker.on('message', (message: Finding | { executed: number; slowestMs: number }) => {
      if ('problem' in message) findings.push(message);
      else slowestMs = Math.max(slowestMs, message.slowestMs);
    });
    let isOver = false;
    const end = await Promise.race([ended(worker), hang(at, () => isOver)]);
    isOver = true;
    await worker.terminate();
    executed += Atomics.load(at, 1);
    if (end === undefined) break;
    const number = Atomics.load(at, 0);
    findings.push({ number, problem: end, input: 'see it with --from and --count 1' });
    next = number + 1;
  }
  return { executed, slowestMs, findings };
}

/** Why a worker exited before its time; undefined if it did everything. */
function ended(worker: Worker): Promise<string | undefined> {
  return new Promise((resolve) => {
    worker.once('error', (error) =>
      resolve(
        `ended the process: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      ),
    );
    worker.once('exit', (code) => resolve(code === 0 ? undefined : `ended the process with ${code}`));
  });
}

/** The first look that finds the same input as the look before, once there is one: what comes before it is the start. */
async function hang(at: Int32Array, isOver: () => boolean): Promise<string> {
  let seen = -1;
  for (;;) {
    await sleep(HANGS_AFTER_MS, undefined, { ref: false });
    const now = Atomics.load(at, 1);
    if (!isOver() && now > 0 && now === seen) return `was not answered within ${HANGS_AFTER_MS / 1_000} s`;
    seen = now;
  }
}
