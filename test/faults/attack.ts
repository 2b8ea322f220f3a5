import { setTimeout as sleep } from 'node:timers/promises';
import type { Draw } from './draw.ts';
import type { StackProcess } from './stack-process.ts';
import type { Uploader } from './uploader.ts';

const HOUR_MS = 3_600_000;

/** Harms the stack until the signal comes: every kind of fault, none of them foreseeable. */
export async function attack(
  stack: StackProcess,
  uploader: Uploader,
  { chance, draw, oneOf }: Draw,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(draw(50, 500));
    const kind = draw(1, 100);
    if (kind <= 2) await stack.kill();
    else if (kind <= 4) stack.send({ kind: 'kill-at-write', writes: draw(1, 200), after: chance() < 0.5 });
    else if (kind <= 7)
      stack.send({ kind: 'kill-at-place', place: leastKilled(stack, oneOf), after: chance() < 0.5 });
    else if (kind <= 10) stack.setClock(oneOf([-HOUR_MS, 0, HOUR_MS]));
    else if (kind <= 18) await uploader.delayEvents();
    else if (kind <= 25) stack.send({ kind: 'refuse', code: 'ENOSPC', calls: draw(1, 8) });
    else if (kind <= 32) stack.send({ kind: 'refuse', code: 'EMFILE', calls: draw(1, 4) });
    else if (kind <= 50) {
      const rate = oneOf([0, 0.02, 0.1, 0.3]);
      const faults = { rate, throttle: oneOf([0, 0.2, 0.5]), delay: oneOf([0, 0.1]) };
      stack.send({ kind: 'network', ...faults, seed: draw(1, 1e9) });
    } else disturb(stack, uploader, { chance, draw, oneOf });
  }
}

/** Harms the stack, which stays up, in ways that its steps are tried again after. */
export async function harass(
  stack: StackProcess,
  uploader: Uploader,
  draws: Draw,
  signal: AbortSignal,
): Promise<void> {
  stack.send({ kind: 'network', rate: 0.1, throttle: 0.2, delay: 0.1, seed: draws.draw(1, 1e9) });
  while (!signal.aborted) {
    await sleep(draws.draw(300, 1500));
    disturb(stack, uploader, draws);
  }
}

/** Ends one process of a function or a model. */
function disturb(stack: StackProcess, { counts }: Uploader, { chance, draw, oneOf }: Draw): void {
  if (chance() < 0.4) return stack.send({ kind: 'kill-caller', requests: draw(1, 4), after: chance() < 0.5 });
  const found = stack.descendants();
  const models = found.filter(({ kind }) => kind === 'container');
  if (found.length === 0) return;
  const { pid, kind } = oneOf(models.length > 0 && chance() < 0.6 ? models : found);
  try {
    process.kill(pid, 'SIGKILL');
    counts[`${kind} killed`] = (counts[`${kind} killed`] ?? 0) + 1;
  } catch {
    // It has ended by itself.
  }
}

/** So that in time every place of the code that writes has been the last one. */
function leastKilled({ places }: StackProcess, oneOf: Draw['oneOf']): string {
  const fewest = Math.min(...places.values());
  const candidates = [...places].filter(([, kills]) => kills === fewest).map(([place]) => place);
  return candidates.length === 0 ? '' : oneOf(candidates);
}
