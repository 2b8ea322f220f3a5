import * as z from 'zod';
import type { TopicStore } from '../topic-store.ts';
import { pageAfter } from './page-after.ts';

const Input = z.strictObject({ NextToken: z.string().optional() });

/** `ListTopics`, 100 a page. */
export function listTopics(store: TopicStore) {
  return (input: unknown) => {
    const page = pageAfter(store.topics(), Input.parse(input).NextToken);
    return { Topics: page.items.map(({ arn }) => ({ TopicArn: arn })), NextToken: page.nextToken };
  };
}
