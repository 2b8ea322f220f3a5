import type { Clock } from '../kernel/clock.ts';
import type { Message } from './queue-message.ts';
import type { QueueSettings } from './queue-settings.ts';
import { type QueueCounts, QueueSlots, type Slot } from './queue-slots.ts';
import { sqsError } from './sqs-error.ts';

/** A message handed to a receiver, with the receipt handle that deletes it. */
export interface ReceivedMessage {
  readonly message: Message;
  readonly receiptHandle: string;
}

interface ReceiveRequest {
  readonly max: number;
  readonly waitMs: number;
  /** The queue's own, if absent. */
  readonly visibilityTimeoutSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The receiver stops with the stack, as an event source mapping does: the next start makes its messages visible. */
  readonly endsWithStack?: boolean | undefined;
}

interface Waiter {
  readonly request: ReceiveRequest;
  readonly resolve: (messages: ReceivedMessage[]) => void;
}

const MAX_IN_FLIGHT = 120_000;

/** A standard queue: at least once, nearly in order. */
export class Queue {
  settings: QueueSettings;
  readonly #slots: QueueSlots;
  readonly #clock: Clock;
  readonly #giveUp: (message: Message) => boolean;
  readonly #waiters = new Set<Waiter>();
  #cancelWake: (() => void) | undefined;

  constructor(options: {
    /** Where its messages are. */
    readonly file: string;
    readonly settings: QueueSettings;
    readonly clock: Clock;
    /** Puts a message that was received too often into the dead-letter queue; false if that queue is not there. */
    readonly giveUp: (message: Message) => boolean;
  }) {
    this.settings = options.settings;
    this.#clock = options.clock;
    this.#giveUp = options.giveUp;
    this.#slots = new QueueSlots(options.file, options.clock);
  }

  /** Resolves when the message is in the file. */
  send(message: Message): Promise<void> {
    const written = this.#slots.add(message);
    if (this.#waiters.size > 0) this.#wake();
    return written;
  }

  async receive(request: ReceiveRequest): Promise<ReceivedMessage[]> {
    const messages = this.#take(request);
    if (messages.length > 0 || request.waitMs === 0 || request.signal?.aborted) return messages;
    return this.#wait(request);
  }

  /** A handle that a later receive replaced deletes nothing, as in SQS. @throws {AwsError} `ReceiptHandleIsInvalid` */
  delete(receiptHandle: string): void {
    const slot = this.#find(receiptHandle);
    if (slot) this.#slots.drop(slot);
  }

  /** @throws {AwsError} `ReceiptHandleIsInvalid`, `MessageNotInflight` */
  changeVisibility(receiptHandle: string, timeoutSeconds: number): void {
    const slot = this.#find(receiptHandle);
    const nowMs = this.#clock.now();
    if (slot?.state !== 'inFlight' || slot.message.visibleMs <= nowMs)
      throw sqsError(
        'MessageNotInflight',
        'The message referred to is not in flight: it was deleted, or is visible again.',
      );
    this.#slots.hide(slot, nowMs + timeoutSeconds * 1000);
    this.#wake();
  }

  purge(): void {
    this.#slots.clear();
  }

  counts(): QueueCounts {
    return this.#slots.counts();
  }

  close(): void {
    this.#cancelWake?.();
    for (const waiter of [...this.#waiters]) waiter.resolve([]);
    this.#slots.close();
  }

  /** Undefined if the message is gone, or was received again since. */
  #find(receiptHandle: string): Slot | undefined {
    const { id, receipt } = parseReceiptHandle(receiptHandle);
    const slot = this.#slots.get(id);
    return slot?.receipt === receipt ? slot : undefined;
  }

  #take({ max, visibilityTimeoutSeconds, endsWithStack = false }: ReceiveRequest): ReceivedMessage[] {
    const slots = this.#slots;
    const { retentionSeconds, redrive } = this.settings;
    const hiddenSeconds = visibilityTimeoutSeconds ?? this.settings.visibilityTimeoutSeconds;
    slots.reveal();
    const nowMs = this.#clock.now();
    const taken: ReceivedMessage[] = [];
    while (taken.length < max && slots.inFlight < MAX_IN_FLIGHT) {
      const slot = slots.next();
      if (!slot) break;
      const { message } = slot;
      const isExpired = message.sentMs + retentionSeconds * 1000 <= nowMs;
      if (
        isExpired ||
        (redrive && message.receiveCount >= redrive.maxReceiveCount && this.#giveUp(message))
      ) {
        slots.drop(slot);
        continue;
      }
      slots.receive(slot, nowMs + hiddenSeconds * 1000, endsWithStack);
      taken.push({ message, receiptHandle: toReceiptHandle(message.id, slot.receipt) });
      if (slot.state === 'visible') break; // Visibility 0: or this loop would hand out the same message again.
    }
    return taken;
  }

  /** Serves waiting receivers, and returns when the next hidden message is due. */
  #wake(): void {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    for (const waiter of this.#waiters) {
      const messages = this.#take(waiter.request);
      if (messages.length === 0) break;
      waiter.resolve(messages);
    }
    const dueMs = this.#slots.nextDueMs();
    if (this.#waiters.size > 0 && dueMs !== undefined)
      this.#cancelWake = this.#clock.after(dueMs - this.#clock.now(), () => this.#wake());
  }

  #wait(request: ReceiveRequest): Promise<ReceivedMessage[]> {
    return new Promise((resolve) => {
      const end = (messages: ReceivedMessage[]): void => {
        this.#waiters.delete(waiter);
        cancel();
        request.signal?.removeEventListener('abort', none);
        resolve(messages);
      };
      const none = (): void => end([]);
      const waiter: Waiter = { request, resolve: end };
      this.#waiters.add(waiter);
      const cancel = this.#clock.after(request.waitMs, none);
      request.signal?.addEventListener('abort', none, { once: true });
      this.#wake();
    });
  }
}

/** Names one receive of one message: `receipt` is how often the message had been received then. */
function toReceiptHandle(id: string, receipt: number): string {
  return Buffer.from(`${id}#${receipt}`).toString('base64');
}

/** @throws {AwsError} `ReceiptHandleIsInvalid` */
function parseReceiptHandle(handle: string): { readonly id: string; readonly receipt: number } {
  const [, id, receipt] = /^([\w-]+)#(\d+)$/.exec(Buffer.from(handle, 'base64').toString('utf8')) ?? [];
  if (id === undefined)
    throw sqsError(
      'ReceiptHandleIsInvalid',
      `The input receipt handle ${JSON.stringify(handle)} is not a valid receipt handle.`,
    );
  return { id, receipt: Number(receipt) };
}
