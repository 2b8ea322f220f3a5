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
    if (!stack.isCondemned && chance() < 0.2) stack.condemn(leastKilled(stack, oneOf), chance() < 0.5);
    const kind = draw(1, 100);
    if (kind <= 4) await stack.kill();
    else if (kind <= 9) stack.send({ kind: 'kill-at-write', writes: draw(1, 200), after: chance() < 0.5 });
    else if (kind <= 12) stack.setClock(oneOf([-HOUR_MS, 0, HOUR_MS]));
    else if (kind <= 20) await uploader.delayEvents();
    else if (kind <= 27) stack.send({ kind: 'refuse', code: 'ENOSPC', calls: draw(1, 8) });
    else if (kind <= 34) stack.send({ kind: 'refuse', code: 'EMFILE', calls: draw(1, 4) });
    else if (kind <= 52) {
      const rate = oneOf([0, 0.02, 0.1, 0.3]);
      const faults = { rate, throttle: oneOf([0, 0.2, 0.5]), delay: oneOf([0, 0.1]) };
      stack.send({ kind: 'network', ...faults, seed: draw(1, 1e9) });
    } else disturb(stack, uploader, { chance, draw, oneOf });
  }
}

/** Harms the stack in ways that its steps are tried again after, until the runs have come to their end. */
export async function harass(
  stack: StackProcess,
  uploader: Uploader,
  draws: Draw,
  signal: AbortSignal,
): Promise<void> {
  const { chance, draw, oneOf } = draws;
  while (!signal.aborted) {
    await stack.ensureUp();
    stack.send({ kind: 'network', rate: 0.1, throttle: 0.2, delay: 0.1, seed: draw(1, 1e9) });
    if (!stack.isCondemned) stack.condemn(leastKilled(stack, oneOf), chance() < 0.5);
    for (let harms = draw(2, 6); harms > 0 && !signal.aborted; harms--) {
      await sleep(draw(300, 1500));
      disturb(stack, uploader, draws);
    }
    if (chance() < 0.3) await stack.kill();
  }
}

/** Kills one process of a function or a model; the few that change endpoints are hit more often. */
function disturb(stack: StackProcess, { counts }: Uploader, { chance, draw, oneOf }: Draw): void {
  if (chance() < 0.4) return stack.send({ kind: 'kill-caller', requests: draw(1, 4), after: chance() < 0.5 });
  const found = stack.descendants();
  const chosen = chance();
  const wanted = chosen < 0.4 ? 'container' : chosen < 0.7 ? 'endpoint function' : 'function';
  const preferred = found.filter(({ kind }) => kind === wanted);
  if (found.length === 0) return;
  const descendant = oneOf(preferred.length > 0 ? preferred : found);
  if (!stack.killDescendant(descendant)) return;
  const kind = `${descendant.kind} killed`;
  counts[kind] = (counts[kind] ?? 0) + 1;
}

/** Chooses, among the places that write now, the one that has been the last one least often, so that in time each has been. */
function leastKilled({ places, recent }: StackProcess, oneOf: Draw['oneOf']): string {
  const kills = (place: string): number => places.get(place) ?? 0;
  const fewest = Math.min(...recent.map(kills));
  const candidates = recent.filter((place) => kills(place) === fewest);
  return candidates.length === 0 ? '' : oneOf(candidates);
}
