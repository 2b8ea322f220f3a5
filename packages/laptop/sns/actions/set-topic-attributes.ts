import * as z from 'zod';
import type { TopicStore } from '../topic-store.ts';

const Input = z.strictObject({
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
});

/** `SetTopicAttributes`; only DisplayName has an effect here. */
export function setTopicAttributes(store: TopicStore) {
  return (input: unknown) => {
    const { TopicArn, AttributeName, AttributeValue } = Input.parse(input);
    store.setTopicAttributes(TopicArn, { [AttributeName]: AttributeValue });
  };
}
