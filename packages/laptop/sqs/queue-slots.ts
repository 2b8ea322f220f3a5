import * as z from 'zod';
import type { Clock } from '../kernel/clock.ts';
import { fifo } from '../storage/fifo.ts';
import { type Journal, openJournal } from '../storage/journal.ts';
import { dueHeap } from './due-heap.ts';
import { Message } from './queue-message.ts';

type State = 'visible' | 'inFlight' | 'delayed';

/** How many messages are in which state. */
export type QueueCounts = Readonly<Record<State, number>>;

/** A message and where it stands. Its state is `undefined` once it is gone, while line and heap may still point here. */
export interface Slot {
  readonly message: Message;
  state: State | undefined;
  receipt: number;
  /** Its last receiver stops with the stack, as an event source mapping does: the next start makes it visible. */
  endsWithStack: boolean;
}

const JournalRecord = z.union([
  z.object({ send: Message }),
  z.object({
    id: z.string(),
    received: z.number(),
    first: z.number(),
    visible: z.number(),
    endsWithStack: z.literal(true).optional(),
  }),
  z.object({ id: z.string(), visible: z.number() }),
  z.object({ delete: z.string() }),
]);

/** Files shorter than this are not worth rewriting. */
const COMPACT_LINES = 20_000;

/** The messages of one queue: their states in memory, and the file that the next start reads them from. */
export class QueueSlots {
  readonly #clock: Clock;
  readonly #journal: Journal;
  readonly #slots = new Map<string, Slot>();
  readonly #ready = fifo<Slot>();
  readonly #hidden = dueHeap<Slot>();
  readonly #counts = { visible: 0, inFlight: 0, delayed: 0 };

  /** Reads what `file` holds, or begins it. */
  constructor(file: string, clock: Clock) {
    this.#clock = clock;
    const replayed = new Map<string, Message>();
    const released = new Set<string>();
    this.#journal = openJournal(file, (record) => replay(record, replayed, released));
    const openedMs = clock.now();
    for (const message of replayed.values()) {
      const visibleMs = Math.min(message.visibleMs, openedMs);
      this.#place(released.has(message.id) ? { ...message, visibleMs } : message);
    }
  }

  get(id: string): Slot | undefined {
    return this.#slots.get(id);
  }

  counts(): QueueCounts {
    this.reveal();
    return { ...this.#counts };
  }

  /** Number of messages in flight as in `counts`, without looking for timeouts that are due. */
  get inFlight(): number {
    return this.#counts.inFlight;
  }

  /** When the next hidden message is due, at the earliest. */
  nextDueMs(): number | undefined {
    return this.#hidden.nextDueMs();
  }

  /** Resolves when the message is in the file. */
  add(message: Message): Promise<void> {
    this.#journal.append({ send: message });
    this.#place(message);
    return this.#journal.written();
  }

  /** Makes hidden messages visible when their time has come. */
  reveal(): void {
    const nowMs = this.#clock.now();
    for (let dueMs = this.nextDueMs(); dueMs !== undefined && dueMs <= nowMs; dueMs = this.nextDueMs()) {
      const slot = this.#hidden.pop();
      if (slot && isCurrent(slot, dueMs)) this.#move(slot, 'visible');
    }
  }

  /** Takes the next visible message out of the line. */
  next(): Slot | undefined {
    let slot = this.#ready.shift();
    while (slot && slot.state !== 'visible') slot = this.#ready.shift();
    return slot;
  }

  /** Counts a receive, after which the message is hidden until `visibleMs`. */
  receive(slot: Slot, visibleMs: number, endsWithStack: boolean): void {
    const nowMs = this.#clock.now();
    const { message } = slot;
    message.receiveCount += 1;
    message.firstReceivedMs ??= nowMs;
    message.visibleMs = visibleMs;
    slot.receipt = message.receiveCount;
    slot.endsWithStack = endsWithStack;
    this.#move(slot, visibleMs > nowMs ? 'inFlight' : 'visible');
    this.#journal.append(received(slot));
  }

  /** Moves the time at which a message in flight is visible again. */
  hide(slot: Slot, visibleMs: number): void {
    slot.message.visibleMs = visibleMs;
    this.#journal.append({ id: slot.message.id, visible: visibleMs });
    this.#move(slot, visibleMs > this.#clock.now() ? 'inFlight' : 'visible');
  }

  drop(slot: Slot): void {
    const journal = this.#journal;
    this.#slots.delete(slot.message.id);
    this.#move(slot, undefined);
    journal.append({ delete: slot.message.id });
    if (journal.lines > COMPACT_LINES && journal.lines > 4 * this.#slots.size)
      journal.compact(
        this.#slots
          .values()
          .flatMap((kept) => [{ send: kept.message }, ...(kept.endsWithStack ? [received(kept)] : [])]),
      );
    const { inFlight, delayed } = this.#counts;
    if (this.#hidden.size > 1000 && this.#hidden.size > 2 * (inFlight + delayed))
      this.#hidden.prune(isCurrent);
  }

  clear(): void {
    for (const slot of this.#slots.values()) this.#move(slot, undefined);
    this.#slots.clear();
    this.#ready.clear();
    this.#hidden.prune(() => false);
    this.#journal.rewrite([]);
  }

  close(): void {
    this.#journal.close();
  }

  #place(message: Message): void {
    const slot: Slot = { message, state: undefined, receipt: message.receiveCount, endsWithStack: false };
    this.#slots.set(message.id, slot);
    const isHidden = message.visibleMs > this.#clock.now();
    this.#move(slot, isHidden ? (message.receiveCount > 0 ? 'inFlight' : 'delayed') : 'visible');
  }

  #move(slot: Slot, state: State | undefined): void {
    if (slot.state) this.#counts[slot.state] -= 1;
    slot.state = state;
    if (state) this.#counts[state] += 1;
    if (state === 'visible') this.#ready.push(slot);
    else if (state) this.#hidden.push(slot.message.visibleMs, slot);
  }
}

/** Whether an entry of the heap still says when the message is due. */
function isCurrent({ state, message }: Slot, dueMs: number): boolean {
  return (state === 'inFlight' || state === 'delayed') && message.visibleMs === dueMs;
}

function replay(record: unknown, messages: Map<string, Message>, released: Set<string>): void {
  const entry = JournalRecord.parse(record);
  if ('send' in entry) messages.set(entry.send.id, entry.send);
  else if ('delete' in entry) messages.delete(entry.delete);
  else {
    const message = messages.get(entry.id);
    if (!message) return;
    message.visibleMs = entry.visible;
    if ('received' in entry) {
      message.receiveCount = entry.received;
      message.firstReceivedMs = entry.first;
      if (entry.endsWithStack) released.add(entry.id);
      else released.delete(entry.id);
    }
  }
}

function received({ message, endsWithStack }: Slot): z.input<typeof JournalRecord> {
  return {
    id: message.id,
    received: message.receiveCount,
    first: message.firstReceivedMs ?? message.sentMs,
    visible: message.visibleMs,
    ...(endsWithStack && { endsWithStack }),
  };
}
