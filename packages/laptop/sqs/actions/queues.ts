import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import { parseQueueUrl, queueArn, toQueueUrl } from '../queue-address.ts';
import { toAttributes } from '../queue-settings.ts';
import type { QueueStore } from '../queue-store.ts';
import { queueDoesNotExist, sqsError } from '../sqs-error.ts';

/** Calls on queues themselves. */
export const queueActions = (store: QueueStore, site: Site) => [
  /** `CreateQueue`; the same name and attributes again give the same queue. */
  action('CreateQueue', {
    input: z.strictObject({
      QueueName: z.string(),
      Attributes: z.record(z.string(), z.string()).default({}),
    }),
    run: ({ QueueName, Attributes }) => {
      store.create(QueueName, Attributes);
      return { QueueUrl: toQueueUrl(site, QueueName) };
    },
  }),
  /** `DeleteQueue` deletes the queue and its messages at once; AWS takes up to a minute. */
  action('DeleteQueue', {
    input: z.strictObject({ QueueUrl: z.string() }),
    run: (input) => store.delete(parseQueueUrl(input.QueueUrl)),
  }),
  /** `ListQueues`, in the order of names; the token is the last name given. */
  action('ListQueues', {
    input: z.strictObject({
      QueueNamePrefix: z.string().default(''),
      MaxResults: z.number().int().min(1).max(1000).default(1000),
      NextToken: z.string().optional(),
    }),
    run: ({ QueueNamePrefix, MaxResults, NextToken = '' }) => {
      const names = store.names().filter((name) => name.startsWith(QueueNamePrefix) && name > NextToken);
      const page = names.slice(0, MaxResults);
      return {
        QueueUrls: page.length > 0 ? page.map((name) => toQueueUrl(site, name)) : undefined,
        NextToken: names.length > page.length ? page.at(-1) : undefined,
      };
    },
  }),
  /** `GetQueueUrl`. */
  action('GetQueueUrl', {
    input: z.strictObject({ QueueName: z.string() }),
    run: ({ QueueName }) => {
      if (!store.record(QueueName)) throw queueDoesNotExist();
      return { QueueUrl: toQueueUrl(site, QueueName) };
    },
  }),
  /** `SetQueueAttributes`. */
  action('SetQueueAttributes', {
    input: z.strictObject({ QueueUrl: z.string(), Attributes: z.record(z.string(), z.string()) }),
    run: ({ QueueUrl, Attributes }) => {
      store.setAttributes(parseQueueUrl(QueueUrl), Attributes);
    },
  }),
  /** `PurgeQueue` works at once and as often as you like; AWS takes a minute and allows one a minute. */
  action('PurgeQueue', {
    input: z.strictObject({ QueueUrl: z.string() }),
    run: (input) => store.queue(parseQueueUrl(input.QueueUrl)).purge(),
  }),
  /** `GetQueueAttributes`. The counts are exact here; AWS's are approximate. */
  action('GetQueueAttributes', {
    input: z.strictObject({ QueueUrl: z.string(), AttributeNames: z.array(z.string()).default([]) }),
    permissions: (input) => [
      {
        action: 'sqs:GetQueueAttributes',
        resource: queueArn(site, parseQueueUrl(Asked.parse(input).QueueUrl)),
      },
    ],
    run: ({ QueueUrl, AttributeNames }) => {
      const record = store.record(parseQueueUrl(QueueUrl));
      if (!record) throw queueDoesNotExist();
      const counts = store.queue(record.name).counts();
      const all: Readonly<Record<string, string>> = {
        QueueArn: queueArn(site, record.name),
        ApproximateNumberOfMessages: String(counts.visible),
        ApproximateNumberOfMessagesNotVisible: String(counts.inFlight),
        ApproximateNumberOfMessagesDelayed: String(counts.delayed),
        CreatedTimestamp: String(Math.floor(record.createdMs / 1000)),
        LastModifiedTimestamp: String(Math.floor(record.modifiedMs / 1000)),
        ...toAttributes(record.settings),
      };
      if (AttributeNames.includes('All')) return { Attributes: all };
      for (const name of AttributeNames) {
        if (!(name in all) && !OPTIONAL.includes(name))
          throw sqsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
      }
      const chosen = Object.entries(all).filter(([name]) => AttributeNames.includes(name));
      return chosen.length > 0 ? { Attributes: Object.fromEntries(chosen) } : {};
    },
  }),
];

const OPTIONAL = [
  'Policy',
  'RedrivePolicy',
  'RedriveAllowPolicy',
  'KmsMasterKeyId',
  'KmsDataKeyReusePeriodSeconds',
];

const Asked = z.looseObject({ QueueUrl: z.string().catch('') });
