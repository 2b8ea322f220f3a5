import type { DeadLetters, HeldLetter } from '../../aws/messages/dead-letters.ts';
import { type LetterMachines, type ReadLetter, readLetter } from '../../drop/dead-letter.ts';

interface LetterServices {
  readonly letters: DeadLetters;
  readonly machines: LetterMachines;
}

/** A letter, and its outcome. */
export interface HandledLetter extends ReadLetter {
  readonly id: string;
  readonly sentAt: Date;
  /** `kept`: it belongs nowhere, or could not be sent; `problem` says why. */
  readonly outcome: 'listed' | 'sent' | 'kept';
  readonly problem: string | null;
}

/** Most letters that one call reads: they are hidden from others meanwhile. */
export const MAX_LETTERS = 200;

/** The letters of the queue, at most {@link MAX_LETTERS}; all of them can be received again afterwards. */
export function listLetters(services: LetterServices): Promise<readonly HandledLetter[]> {
  return eachLetter(services, async (_held, { destination }) => ({
    outcome: 'listed',
    problem: destination.to === 'nowhere' ? destination.problem : null,
  }));
}

/**
 * Sends each letter where it belongs, and only then deletes it: a call that dies between the two sends it twice, which all
 * receivers tolerate. Letters that belong nowhere, or could not be sent, stay in the queue.
 */
export function sendLetters(services: LetterServices): Promise<readonly HandledLetter[]> {
  const { letters } = services;
  return eachLetter(services, async (held, { destination }) => {
    if (destination.to === 'nowhere') return { outcome: 'kept', problem: destination.problem };
    try {
      if (destination.to === 'uploads') await letters.toUploads(destination.body);
      else await letters.toFunction(destination.to, destination.body);
    } catch (error) {
      // One destination that refuses a letter must not hold up the others; the command prints the reason.
      return { outcome: 'kept', problem: error instanceof Error ? error.message : String(error) };
    }
    await letters.delete(held);
    return { outcome: 'sent', problem: null };
  });
}

async function eachLetter(
  { letters, machines }: LetterServices,
  handle: (held: HeldLetter, read: ReadLetter) => Promise<Pick<HandledLetter, 'outcome' | 'problem'>>,
): Promise<readonly HandledLetter[]> {
  const handled = new Map<string, HandledLetter>();
  const staying = new Map<string, HeldLetter>();
  try {
    while (handled.size < MAX_LETTERS) {
      const received = await letters.receive();
      for (const held of received) staying.set(held.id, held);
      const fresh = received.filter(({ id }) => !handled.has(id));
      // Letters that have been seen come again once their minute is up.
      if (fresh.length === 0) break;
      for (const held of fresh) {
        const read = readLetter(held, machines);
        const { outcome, problem } = await handle(held, read);
        if (outcome === 'sent') staying.delete(held.id);
        handled.set(held.id, { id: held.id, sentAt: held.sentAt, ...read, outcome, problem });
      }
    }
  } finally {
    for (const held of staying.values()) await letters.release(held);
  }
  return [...handled.values()].sort((a, b) => a.sentAt.getTime() - b.sentAt.getTime());
}
