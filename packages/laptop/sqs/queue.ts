import * as z from 'zod';
import type { Clock } from '../kernel/clock.ts';
import { fifo } from '../storage/fifo.ts';
import { openJournal } from '../storage/journal.ts';
import { dueHeap } from './due-heap.ts';
import { Message } from './message.ts';
import type { QueueSettings } from './queue-settings.ts';
import { sqsError } from './sqs-error.ts';

/** A message handed to a receiver, with what it takes to delete it. */
export interface ReceivedMessage {
  readonly message: Message;
  readonly receiptHandle: string;
}

/** How many messages are in which state. */
interface QueueCounts {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

/** What a receiver asks for. */
interface ReceiveRequest {
  readonly max: number;
  readonly waitMs: number;
  /** The queue's own, if absent. */
  readonly visibilityTimeoutSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The receiver ends with the stack, as an event source mapping does: the next start finds its messages visible. */
  readonly endsWithStack?: boolean | undefined;
}

/** A standard queue: at least once, nearly in order. */
export interface Queue {
  settings: QueueSettings;
  /** Resolves when the message is in the file. */
  send(message: Message): Promise<void>;
  receive(request: ReceiveRequest): Promise<ReceivedMessage[]>;
  /** A handle that a later receive replaced deletes nothing, as in SQS. @throws {AwsError} `ReceiptHandleIsInvalid` */
  delete(receiptHandle: string): void;
  /** @throws {AwsError} `ReceiptHandleIsInvalid`, `MessageNotInflight` */
  changeVisibility(receiptHandle: string, timeoutSeconds: number): void;
  purge(): void;
  counts(): QueueCounts;
  close(): void;
}

type State = 'visible' | 'inFlight' | 'delayed';

/** A message and where it stands. Its state is `undefined` once it is gone, while line and heap may still point here. */
interface Slot {
  readonly message: Message;
  state: State | undefined;
  receipt: number;
  /** Its last receiver ends with the stack. */
  endsWithStack: boolean;
}

interface Waiter {
  readonly request: ReceiveRequest;
  readonly resolve: (messages: ReceivedMessage[]) => void;
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

const MAX_IN_FLIGHT = 120_000;
/** Files shorter than this are not worth rewriting. */
const COMPACT_LINES = 20_000;

/** Opens the queue whose messages are in `file`. */
export function openQueue(options: {
  readonly file: string;
  readonly settings: QueueSettings;
  readonly clock: Clock;
  /** Puts a message that was received too often into the dead-letter queue; false if that queue is not there. */
  readonly giveUp: (message: Message) => boolean;
}): Queue {
  const { clock } = options;
  let settings = options.settings;
  const slots = new Map<string, Slot>();
  const ready = fifo<Slot>();
  const hidden = dueHeap<Slot>();
  const waiters = new Set<Waiter>();
  const counts = { visible: 0, inFlight: 0, delayed: 0 };
  let cancelWake: (() => void) | undefined;

  const move = (slot: Slot, state: State | undefined): void => {
    if (slot.state) counts[slot.state] -= 1;
    slot.state = state;
    if (state) counts[state] += 1;
    if (state === 'visible') ready.push(slot);
    else if (state) hidden.push(slot.message.visibleMs, slot);
  };
  const place = (message: Message): void => {
    const slot: Slot = { message, state: undefined, receipt: message.receiveCount, endsWithStack: false };
    slots.set(message.id, slot);
    const isHidden = message.visibleMs > clock.now();
    move(slot, isHidden ? (message.receiveCount > 0 ? 'inFlight' : 'delayed') : 'visible');
  };

  const replayed = new Map<string, Message>();
  const released = new Set<string>();
  const journal = openJournal(options.file, (record) => {
    const entry = JournalRecord.parse(record);
    if ('send' in entry) replayed.set(entry.send.id, entry.send);
    else if ('delete' in entry) replayed.delete(entry.delete);
    else {
      const message = replayed.get(entry.id);
      if (!message) return;
      message.visibleMs = entry.visible;
      if ('received' in entry) {
        message.receiveCount = entry.received;
        message.firstReceivedMs = entry.first;
        if (entry.endsWithStack) released.add(entry.id);
        else released.delete(entry.id);
      }
    }
  });
  const openedMs = clock.now();
  for (const message of replayed.values())
    place(
      released.has(message.id) ? { ...message, visibleMs: Math.min(message.visibleMs, openedMs) } : message,
    );
  replayed.clear();
  released.clear();

  const drop = (slot: Slot): void => {
    slots.delete(slot.message.id);
    move(slot, undefined);
    journal.append({ delete: slot.message.id });
    if (journal.lines > COMPACT_LINES && journal.lines > 4 * slots.size) {
      journal.compact(
        slots
          .values()
          .flatMap((kept) => [{ send: kept.message }, ...(kept.endsWithStack ? [received(kept)] : [])]),
      );
    }
    if (hidden.size > 1000 && hidden.size > 2 * (counts.inFlight + counts.delayed)) {
      hidden.prune(isCurrent);
    }
  };
  const isCurrent = (slot: Slot, dueMs: number): boolean =>
    (slot.state === 'inFlight' || slot.state === 'delayed') && slot.message.visibleMs === dueMs;

  const reveal = (): void => {
    const nowMs = clock.now();
    for (let dueMs = hidden.nextDueMs(); dueMs !== undefined && dueMs <= nowMs; dueMs = hidden.nextDueMs()) {
      const slot = hidden.pop();
      if (slot && isCurrent(slot, dueMs)) move(slot, 'visible');
    }
  };

  const take = ({
    max,
    visibilityTimeoutSeconds,
    endsWithStack = false,
  }: ReceiveRequest): ReceivedMessage[] => {
    reveal();
    const nowMs = clock.now();
    const taken: ReceivedMessage[] = [];
    while (taken.length < max && counts.inFlight < MAX_IN_FLIGHT) {
      const slot = ready.shift();
      if (!slot) break;
      if (slot.state !== 'visible') continue;
      const { message } = slot;
      if (message.sentMs + settings.retentionSeconds * 1000 <= nowMs) drop(slot);
      else if (
        settings.redrive &&
        message.receiveCount >= settings.redrive.maxReceiveCount &&
        options.giveUp(message)
      ) {
        drop(slot);
      } else {
        message.receiveCount += 1;
        message.firstReceivedMs ??= nowMs;
        message.visibleMs = nowMs + (visibilityTimeoutSeconds ?? settings.visibilityTimeoutSeconds) * 1000;
        slot.receipt = message.receiveCount;
        slot.endsWithStack = endsWithStack;
        move(slot, message.visibleMs > nowMs ? 'inFlight' : 'visible');
        journal.append(received(slot));
        taken.push({ message, receiptHandle: toReceiptHandle(message.id, slot.receipt) });
        if (slot.state === 'visible') break; // Visibility 0: or this loop would hand out the same message again.
      }
    }
    return taken;
  };

  /** Serves waiting receivers, and returns when the next hidden message is due. */
  const wake = (): void => {
    cancelWake?.();
    cancelWake = undefined;
    for (const waiter of waiters) {
      const messages = take(waiter.request);
      if (messages.length === 0) break;
      waiter.resolve(messages);
    }
    const dueMs = hidden.nextDueMs();
    if (waiters.size > 0 && dueMs !== undefined) cancelWake = clock.after(dueMs - clock.now(), wake);
  };

  const wait = (request: ReceiveRequest): Promise<ReceivedMessage[]> =>
    new Promise((resolve) => {
      const end = (messages: ReceivedMessage[]): void => {
        waiters.delete(waiter);
        cancel();
        request.signal?.removeEventListener('abort', none);
        resolve(messages);
      };
      const none = (): void => end([]);
      const waiter: Waiter = { request, resolve: end };
      waiters.add(waiter);
      const cancel = clock.after(request.waitMs, none);
      request.signal?.addEventListener('abort', none, { once: true });
      wake();
    });

  const find = (receiptHandle: string): { slot: Slot | undefined; receipt: number } => {
    const { id, receipt } = parseReceiptHandle(receiptHandle);
    return { slot: slots.get(id), receipt };
  };

  return {
    get settings() {
      return settings;
    },
    set settings(next) {
      settings = next;
    },
    send: (message) => {
      journal.append({ send: message });
      place(message);
      const written = journal.written();
      if (waiters.size > 0) wake();
      return written;
    },
    receive: async (request) => {
      const messages = take(request);
      if (messages.length > 0 || request.waitMs === 0 || request.signal?.aborted) return messages;
      return wait(request);
    },
    delete: (receiptHandle) => {
      const { slot, receipt } = find(receiptHandle);
      if (slot && slot.receipt === receipt) drop(slot);
    },
    changeVisibility: (receiptHandle, timeoutSeconds) => {
      const { slot, receipt } = find(receiptHandle);
      if (
        !slot ||
        slot.receipt !== receipt ||
        slot.state !== 'inFlight' ||
        slot.message.visibleMs <= clock.now()
      ) {
        throw sqsError(
          'MessageNotInflight',
          'The message referred to is not in flight: it was deleted, or is visible again.',
        );
      }
      slot.message.visibleMs = clock.now() + timeoutSeconds * 1000;
      journal.append({ id: slot.message.id, visible: slot.message.visibleMs });
      move(slot, timeoutSeconds === 0 ? 'visible' : 'inFlight');
      wake();
    },
    purge: () => {
      for (const slot of slots.values()) move(slot, undefined);
      slots.clear();
      ready.clear();
      hidden.prune(() => false);
      journal.rewrite([]);
    },
    counts: () => {
      reveal();
      return { ...counts };
    },
    close: () => {
      cancelWake?.();
      for (const waiter of [...waiters]) waiter.resolve([]);
      journal.close();
    },
  };
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

function toReceiptHandle(id: string, receipt: number): string {
  return Buffer.from(`${id}#${receipt}`).toString('base64');
}

function parseReceiptHandle(handle: string): { readonly id: string; readonly receipt: number } {
  const [, id, receipt] = /^([\w-]+)#(\d+)$/.exec(Buffer.from(handle, 'base64').toString('utf8')) ?? [];
  if (id === undefined) {
    throw sqsError(
      'ReceiptHandleIsInvalid',
      `The input receipt handle ${JSON.stringify(handle)} is not a valid receipt handle.`,
    );
  }
  return { id, receipt: Number(receipt) };
}
