import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import { invalid } from '../topic-message.ts';
import type { TopicStore } from '../topic-store.ts';

const PAGE = 100;

/** One page of a list sorted by ARN; the token is the last ARN of the page before. */
export function pageAfter<T extends { readonly arn: string }>(
  items: readonly T[],
  token = '',
): { readonly items: readonly T[]; readonly nextToken: string | undefined } {
  const rest = items.filter(({ arn }) => arn > token);
  const page = rest.slice(0, PAGE);
  return { items: page, nextToken: rest.length > page.length ? page.at(-1)?.arn : undefined };
}

/** Calls on subscriptions. */
export const subscriptionActions = (store: TopicStore, site: Site) => [
  /** `Subscribe`: an e-mail address or a queue, confirmed at once. */
  action('Subscribe', {
    input: z.strictObject({
      TopicArn: z.string(),
      Protocol: z.string(),
      Endpoint: z.string(),
      Attributes: z.record(z.string(), z.string()).default({}),
      ReturnSubscriptionArn: z.boolean().optional(),
    }),
    run: ({ TopicArn, Protocol, Endpoint, Attributes }) => {
      const [attribute] = Object.keys(Attributes);
      if (attribute !== undefined)
        throw invalid(`Attributes Reason: the local stack does not emulate ${attribute} of subscriptions`);
      return { SubscriptionArn: store.subscribe(TopicArn, Protocol, Endpoint).arn };
    },
  }),
  /** `GetSubscriptionAttributes`. */
  action('GetSubscriptionAttributes', {
    input: z.strictObject({ SubscriptionArn: z.string() }),
    run: (input) => {
      const { arn, topicArn, protocol, endpoint } = store.subscriptions.find(input.SubscriptionArn);
      return {
        Attributes: new Map([
          ['SubscriptionArn', arn],
          ['TopicArn', topicArn],
          ['Protocol', protocol],
          ['Endpoint', endpoint],
          ['Owner', site.account],
          ['PendingConfirmation', 'false'],
          ['ConfirmationWasAuthenticated', 'true'],
        ]),
      };
    },
  }),
  /** `ListSubscriptionsByTopic`, 100 a page. */
  action('ListSubscriptionsByTopic', {
    input: z.strictObject({ TopicArn: z.string(), NextToken: z.string().optional() }),
    run: ({ TopicArn, NextToken }) => {
      store.topic(TopicArn);
      const all = store.subscriptions.all().filter(({ topicArn }) => topicArn === TopicArn);
      const page = pageAfter(all, NextToken);
      return {
        Subscriptions: page.items.map((subscription) => ({
          SubscriptionArn: subscription.arn,
          Owner: site.account,
          Protocol: subscription.protocol,
          Endpoint: subscription.endpoint,
          TopicArn: subscription.topicArn,
        })),
        NextToken: page.nextToken,
      };
    },
  }),
];
