import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { AwsError } from '../kernel/aws-error.ts';
import type { ServiceBase, Site } from '../kernel/service.ts';
import { openDocuments } from '../storage/document-file.ts';
import { Queue } from './queue.ts';
import type { Message, MessageAttributes } from './queue-message.ts';
import { invalidRedrive, QueueSettings, withAttributes } from './queue-settings.ts';
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

/** What a sender gives; the rest of a message is the store's. */
export interface MessageDraft {
  readonly body: string;
  readonly attributes?: MessageAttributes | undefined;
  readonly traceHeader?: string | undefined;
  /** The queue's own, if absent. */
  readonly delaySeconds?: number | undefined;
}

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
    const target = records.get(source)?.settings.redrive?.deadLetterTargetArn.split(':').at(-1) ?? '';
    if (!records.get(target)) return false;
    const moved: Message = {
      ...message,
      receiveCount: 0,
      visibleMs: clock.now(),
      deadLetterSource: queueArn(site, source),
    };
    delete moved.firstReceivedMs;
    void queue(target).send(moved);
    return true;
  };
  /** A misspelled name would bring messages back for ever, since nothing would give them up. */
  const withRedrive = (
    settings: QueueSettings,
    attributes: Readonly<Record<string, string>>,
  ): QueueSettings => {
    const next = withAttributes(settings, attributes);
    const target = attributes['RedrivePolicy'] === undefined ? undefined : next.redrive?.deadLetterTargetArn;
    const name = target?.split(':').at(-1) ?? '';
    if (target === undefined || (records.get(name) && target === queueArn(site, name))) return next;
    const region = target.split(':')[3] ?? '';
    throw invalidRedrive(
      attributes['RedrivePolicy'] ?? '',
      target.startsWith('arn:') && region !== site.region
        ? 'Dead-letter target must be in same region as the source.'
        : 'Dead letter target does not exist.',
    );
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
        const wanted = withRedrive(existing.settings, attributes);
        if (JSON.stringify(wanted) === JSON.stringify(existing.settings)) return;
        throw sqsError(
          'QueueNameExists',
          `A queue named ${name} exists with a different value of an attribute.`,
        );
      }
      requireName(name);
      const nowMs = clock.now();
      const settings = withRedrive(QueueSettings.parse({}), attributes);
      const file = `${name}-${newId().slice(0, 8)}.jsonl`;
      records.set(name, { name, settings, createdMs: nowMs, modifiedMs: nowMs, file });
    },
    setAttributes: (name, attributes) => {
      const record = records.get(name);
      if (!record) throw queueDoesNotExist();
      change(record, withRedrive(record.settings, attributes));
    },
    resetAttributes: (name, attributes) => {
      const record = records.get(name);
      if (!record) throw queueDoesNotExist();
      change(record, withRedrive(QueueSettings.parse({}), attributes));
    },
    delete: (name) => {
      const record = records.get(name);
      if (!record) throw queueDoesNotExist();
      open.get(name)?.close();
      open.delete(name);
      records.delete(name);
      rmSync(join(dir, record.file), { force: true });
    },
    send: async (name, { body, attributes, traceHeader, delaySeconds }) => {
      const target = queue(name);
      const nowMs = clock.now();
      const id = newId();
      await target.send({
        id,
        body,
        ...(attributes && Object.keys(attributes).length > 0 ? { attributes } : {}),
        ...(traceHeader === undefined ? {} : { traceHeader }),
        sentMs: nowMs,
        visibleMs: nowMs + (delaySeconds ?? target.settings.delaySeconds) * 1000,
        receiveCount: 0,
      });
      return id;
    },
    close: () => {
      closed = true;
      for (const each of open.values()) each.close();
      open.clear();
    },
  };
}

/** The ARN of a queue. */
export function queueArn(site: Site, name: string): string {
  return `arn:${site.partition}:sqs:${site.region}:${site.account}:${name}`;
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
