import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import type { TopicStore } from '../topic-store.ts';

/** `GetSubscriptionAttributes`. */
export const getSubscriptionAttributes = (store: TopicStore, site: Site) =>
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
  });
