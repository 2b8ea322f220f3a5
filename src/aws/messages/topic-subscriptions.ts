import { ListSubscriptionsByTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import { withErrorNames } from '../calls/aws-error.ts';

/** The number of confirmed subscriptions of a topic, and of those awaiting confirmation. */
export interface SubscriptionCounts {
  readonly confirmed: number;
  readonly pending: number;
}

/** Asks for the subscriptions of a topic. */
export type TopicSubscriptions = (topicArn: string) => Promise<SubscriptionCounts>;

/** Counts the subscriptions of a topic. */
export const topicSubscriptions: TopicSubscriptions = async (topicArn) => {
  const client = new SNSClient();
  const counts = { confirmed: 0, pending: 0 };
  let NextToken: string | undefined;
  do {
    const page = await withErrorNames(
      client.send(new ListSubscriptionsByTopicCommand({ TopicArn: topicArn, NextToken })),
    );
    for (const { SubscriptionArn } of page.Subscriptions ?? [])
      counts[SubscriptionArn === 'PendingConfirmation' ? 'pending' : 'confirmed'] += 1;
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return counts;
};
