import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { TopicStore } from '../topic-store.ts';

/** `SetTopicAttributes`; only DisplayName has an effect here. */
export const setTopicAttributes = (store: TopicStore) =>
  action('SetTopicAttributes', {
    input: z.strictObject({
      TopicArn: z.string(),
      AttributeName: z.enum([
        'DisplayName',
        'Policy',
        'DeliveryPolicy',
        'KmsMasterKeyId',
        'SignatureVersion',
        'TracingConfig',
      ]),
      AttributeValue: z.string().default(''),
    }),
    run: ({ TopicArn, AttributeName, AttributeValue }) => {
      store.setTopicAttributes(TopicArn, { [AttributeName]: AttributeValue });
    },
  });
