import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { AwsError } from '../kernel/aws-error.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { type Documents, openDocuments } from '../storage/document-file.ts';
import { Queue } from './queue.ts';
import { queueArn } from './queue-address.ts';
import { type Message, type MessageDraft, toMessage } from './queue-message.ts';
import { QueueSettings, withAttributes } from './queue-settings.ts';
import { checkRedrive, deadLetterQueue, toDeadLetter } from './redrive.ts';
import { queueDoesNotExist, sqsError } from './sqs-error.ts';

const QueueRecord = z.object({
  name: z.string(),
  settings: QueueSettings,
  createdMs: z.number(),
  modifiedMs: z.number(),
  /** A queue made again under the same name has another file. */
  file: z.string(),
});

type QueueRecord = z.infer<typeof QueueRecord>;

/** All queues of the account, kept in `dir`: a file of messages for each. */
export class QueueStore {
  readonly #base: ServiceBase;
  readonly #newId: () => string;
  readonly #records: Documents<QueueRecord>;
  readonly #open = new Map<string, Queue>();
  #closed = false;

  constructor({ newId = randomUUID, ...base }: ServiceBase & { readonly newId?: () => string }) {
    this.#base = base;
    this.#newId = newId;
    this.#records = openDocuments(join(base.dir, 'queues.json'), QueueRecord);
  }

  names(): string[] {
    return [...this.#records.values()].map(({ name }) => name).sort();
  }

  record(name: string): QueueRecord | undefined {
    return this.#records.get(name);
  }

  /** @throws {AwsError} `QueueDoesNotExist` */
  queue(name: string): Queue {
    if (this.#closed) throw new AwsError('ServiceUnavailable', 'The stack is stopping.', { statusCode: 503 });
    const existing = this.#open.get(name);
    if (existing) return existing;
    const { file, settings } = this.#find(name);
    const made = new Queue({
      file: join(this.#base.dir, file),
      settings,
      clock: this.#base.clock,
      giveUp: (message) => this.#giveUp(name, message),
    });
    this.#open.set(name, made);
    return made;
  }

  /** @throws {AwsError} `QueueNameExists` if it is there with another value of an attribute that is given */
  create(name: string, attributes: Readonly<Record<string, string>>): void {
    const existing = this.#records.get(name);
    if (existing) {
      const wanted = this.#withChanges(existing.settings, attributes);
      if (JSON.stringify(wanted) === JSON.stringify(existing.settings)) return;
      throw sqsError(
        'QueueNameExists',
        `A queue named ${name} exists with a different value of an attribute.`,
      );
    }
    requireName(name);
    const nowMs = this.#base.clock.now();
    const settings = this.#withChanges(QueueSettings.parse({}), attributes);
    const file = `${name}-${this.#newId().slice(0, 8)}.jsonl`;
    this.#records.set(name, { name, settings, createdMs: nowMs, modifiedMs: nowMs, file });
  }

  /** Changes these attributes; the others stay. */
  setAttributes(name: string, attributes: Readonly<Record<string, string>>): void {
    const record = this.#find(name);
    this.#change(record, this.#withChanges(record.settings, attributes));
  }

  /** Gives the queue these attributes and the defaults for all others. */
  resetAttributes(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#change(this.#find(name), this.#withChanges(QueueSettings.parse({}), attributes));
  }

  delete(name: string): void {
    const { file } = this.#find(name);
    this.#open.get(name)?.close();
    this.#open.delete(name);
    this.#records.delete(name);
    rmSync(join(this.#base.dir, file), { force: true });
  }

  /** Resolves with the id when the message is in the file. */
  async send(name: string, draft: MessageDraft): Promise<string> {
    const target = this.queue(name);
    const id = this.#newId();
    await target.send(toMessage(id, draft, target.settings, this.#base.clock.now()));
    return id;
  }

  close(): void {
    this.#closed = true;
    for (const each of this.#open.values()) each.close();
    this.#open.clear();
  }

  #find(name: string): QueueRecord {
    const record = this.#records.get(name);
    if (!record) throw queueDoesNotExist();
    return record;
  }

  /** Puts a message into the dead-letter queue; false if it is not there. */
  #giveUp(source: string, message: Message): boolean {
    const target = deadLetterQueue(this.#records.get(source)?.settings);
    if (target === undefined || !this.#records.get(target)) return false;
    const { site, clock } = this.#base;
    void this.queue(target).send(toDeadLetter(message, queueArn(site, source), clock.now()));
    return true;
  }

  #withChanges(settings: QueueSettings, attributes: Readonly<Record<string, string>>): QueueSettings {
    const next = withAttributes(settings, attributes);
    const { RedrivePolicy } = attributes;
    if (RedrivePolicy !== undefined)
      checkRedrive(next, RedrivePolicy, this.#base.site, (name) => this.#records.get(name) !== undefined);
    return next;
  }

  #change(record: QueueRecord, settings: QueueSettings): void {
    this.#records.set(record.name, { ...record, settings, modifiedMs: this.#base.clock.now() });
    this.queue(record.name).settings = settings;
  }
}

function requireName(name: string): void {
  if (name.endsWith('.fifo'))
    throw sqsError(
      'UnsupportedOperation',
      `${name}: this stack has standard queues only, FIFO queues are not emulated`,
    );
  if (/^[\w-]{1,80}$/.test(name)) return;
  throw sqsError(
    'InvalidParameterValue',
    `Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length (is ${JSON.stringify(name)})`,
  );
}
