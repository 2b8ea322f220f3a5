import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { AwsError } from '../kernel/aws-error.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { openDocuments } from '../storage/document-file.ts';
import { Queue } from './queue.ts';
import { queueArn } from './queue-arn.ts';
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

/** A queue as it is stored. */
type QueueRecord = z.infer<typeof QueueRecord>;

/** All queues of the account. */
export interface QueueStore {
  names(): string[];
  record(name: string): QueueRecord | undefined;
  /** @throws {AwsError} `QueueDoesNotExist` */
  queue(name: string): Queue;
  /** @throws {AwsError} `QueueNameExists` if it is there with another value of an attribute that is given */
  create(name: string, attributes: Readonly<Record<string, string>>): void;
  /** Changes these attributes; the others stay. */
  setAttributes(name: string, attributes: Readonly<Record<string, string>>): void;
  /** Gives the queue these attributes and the defaults for all others. */
  resetAttributes(name: string, attributes: Readonly<Record<string, string>>): void;
  delete(name: string): void;
  /** Resolves with the id when the message is in the file. */
  send(name: string, draft: MessageDraft): Promise<string>;
  close(): void;
}

/** Opens the queues kept in `dir`, a file of messages for each. */
export function openQueueStore({
  dir,
  site,
  clock,
  newId = randomUUID,
}: ServiceBase & {
  readonly newId?: () => string;
}): QueueStore {
  const records = openDocuments(join(dir, 'queues.json'), QueueRecord);
  const open = new Map<string, Queue>();
  let closed = false;

  const queue = (name: string): Queue => {
    if (closed) throw new AwsError('ServiceUnavailable', 'The stack is stopping.', { statusCode: 503 });
    const existing = open.get(name);
    if (existing) return existing;
    const record = records.get(name);
    if (!record) throw queueDoesNotExist();
    const made = new Queue({
      file: join(dir, record.file),
      settings: record.settings,
      clock,
      giveUp: (message) => giveUp(name, message),
    });
    open.set(name, made);
    return made;
  };
  const giveUp = (source: string, message: Message): boolean => {
    const target = deadLetterQueue(records.get(source)?.settings);
    if (target === undefined || !records.get(target)) return false;
    void queue(target).send(toDeadLetter(message, queueArn(site, source), clock.now()));
    return true;
  };
  const withChanges = (
    settings: QueueSettings,
    attributes: Readonly<Record<string, string>>,
  ): QueueSettings => {
    const next = withAttributes(settings, attributes);
    const { RedrivePolicy } = attributes;
    if (RedrivePolicy !== undefined)
      checkRedrive(next, RedrivePolicy, site, (name) => records.get(name) !== undefined);
    return next;
  };
  const change = (record: QueueRecord, settings: QueueSettings): void => {
    records.set(record.name, { ...record, settings, modifiedMs: clock.now() });
    queue(record.name).settings = settings;
  };
  return {
    names: () => [...records.values()].map(({ name }) => name).sort(),
    record: (name) => records.get(name),
    queue,
    create: (name, attributes) => {
      const existing = records.get(name);
      if (existing) {
        const wanted = withChanges(existing.settings, attributes);
        if (JSON.stringify(wanted) === JSON.stringify(existing.settings)) return;
        throw sqsError(
          'QueueNameExists',
          `A queue named ${name} exists with a different value of an attribute.`,
        );
      }
      requireName(name);
      const nowMs = clock.now();
      const settings = withChanges(QueueSettings.parse({}), attributes);
      const file = `${name}-${newId().slice(0, 8)}.jsonl`;
      records.set(name, { name, settings, createdMs: nowMs, modifiedMs: nowMs, file });
    },
    setAttributes: (name, attributes) => {
      const record = records.get(name);
      if (!record) throw queueDoesNotExist();
      change(record, withChanges(record.settings, attributes));
    },
    resetAttributes: (name, attributes) => {
      const record = records.get(name);
      if (!record) throw queueDoesNotExist();
      change(record, withChanges(QueueSettings.parse({}), attributes));
    },
    delete: (name) => {
      const record = records.get(name);
      if (!record) throw queueDoesNotExist();
      open.get(name)?.close();
      open.delete(name);
      records.delete(name);
      rmSync(join(dir, record.file), { force: true });
    },
    send: async (name, draft) => {
      const target = queue(name);
      const id = newId();
      await target.send(toMessage(id, draft, target.settings, clock.now()));
      return id;
    },
    close: () => {
      closed = true;
      for (const each of open.values()) each.close();
      open.clear();
    },
  };
}

function requireName(name: string): void {
  if (name.endsWith('.fifo')) {
    throw sqsError(
      'UnsupportedOperation',
      `${name}: this stack has standard queues only, FIFO queues are not emulated`,
    );
  }
  if (/^[\w-]{1,80}$/.test(name)) return;
  throw sqsError(
    'InvalidParameterValue',
    `Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length (is ${JSON.stringify(name)})`,
  );
}
