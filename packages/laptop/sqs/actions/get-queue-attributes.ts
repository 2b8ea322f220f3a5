import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import { queueArn } from '../queue-arn.ts';
import { toAttributes } from '../queue-settings.ts';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';
import { queueDoesNotExist, sqsError } from '../sqs-error.ts';

const OPTIONAL = [
  'Policy',
  'RedrivePolicy',
  'RedriveAllowPolicy',
  'KmsMasterKeyId',
  'KmsDataKeyReusePeriodSeconds',
];

const Asked = z.looseObject({ QueueUrl: z.string().catch('') });

/** `GetQueueAttributes`. The counts are exact here; AWS's are approximate. */
export const getQueueAttributes = (store: QueueStore, site: Site) =>
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
        if (!(name in all) && !OPTIONAL.includes(name)) {
          throw sqsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
        }
      }
      const chosen = Object.entries(all).filter(([name]) => AttributeNames.includes(name));
      return chosen.length > 0 ? { Attributes: Object.fromEntries(chosen) } : {};
    },
  });
